/**
 * Searches the HTML and the scripts for the files that a browser downloads before a page is
 * complete.
 */

type FirstLoad = { scripts: string[]; styles: string[]; fonts: string[] }

/**
 * Returns the URLs of scripts, style sheets and fonts in the HTML, including preloaded files and
 * the imports of inline scripts.
 */
export function findFirstLoadFiles(html: string): FirstLoad {
  const found: Record<keyof FirstLoad, Set<string>> = {
    scripts: new Set(),
    styles: new Set(),
    fonts: new Set(),
  }
  for (const [tag] of html.matchAll(/<(?:link|script)\b[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    const [rel, as, href, src] = ['rel', 'as', 'href', 'src'].map(attribute) as [
      string,
      string,
      string,
      string,
    ]
    if (src) found.scripts.add(src)
    if (rel === 'modulepreload' && attribute('media') !== 'not all') found.scripts.add(href)
    // React Router may add '#' to the URL of a style sheet.
    if (rel === 'stylesheet') found.styles.add(href.replace('#', ''))
    if (rel === 'preload' && as === 'font') found.fonts.add(href)
    if (rel === 'preload' && as === 'style') found.styles.add(href)
    if (rel === 'preload' && as === 'script') found.scripts.add(href)
  }
  for (const [, text] of html.matchAll(
    /<script\b[^>]*type="(?:module|text\/plain)"[^>]*>([\s\S]*?)<\/script>/g,
  )) {
    for (const path of [...staticImports(text!), ...dynamicImports(text!)]) found.scripts.add(path)
  }
  return { scripts: [...found.scripts], styles: [...found.styles], fonts: [...found.fonts] }
}

/** Returns the paths after `import …` and `export … from` in a minified script. */
export const staticImports = (script: string): string[] =>
  paths(script, /(?:^|[;}\s])(?:import|export)(?:[\w$*{},\s]*?\bfrom)?\s*["']([^"']+)["']/g)

/** Returns the paths in `import("…")`. The inline script of a page loads the app in this way. */
const dynamicImports = (script: string): string[] =>
  paths(script, /\bimport\(\s*["']([^"']+)["']\s*\)/g)

const paths = (script: string, pattern: RegExp): string[] => [
  ...new Set(
    [...script.matchAll(pattern)].map((match) => match[1]!).filter((path) => /^[./]/.test(path)),
  ),
]
