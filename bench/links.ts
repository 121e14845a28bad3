/** Finds what a browser downloads before a page is complete, from its HTML and from the files. */

type FirstLoad = { scripts: string[]; styles: string[]; fonts: string[] }

/** URLs in the HTML: scripts, preloaded modules, imports of inline module scripts (also lazy ones), style sheets, preloaded fonts. */
export function linksIn(html: string): FirstLoad {
  const found: Record<keyof FirstLoad, Set<string>> = { scripts: new Set(), styles: new Set(), fonts: new Set() }
  for (const [tag] of html.matchAll(/<(?:link|script)\b[^>]*>/g)) {
    const attribute = (name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    const [rel, as, href, src] = ['rel', 'as', 'href', 'src'].map(attribute) as [string, string, string, string]
    if (src) found.scripts.add(src)
    if (rel === 'modulepreload' && attribute('media') !== 'not all') found.scripts.add(href)
    // React Router puts "#" before the keys of its own entries.
    if (rel === 'stylesheet') found.styles.add(href.replace('#', ''))
    if (rel === 'preload' && as === 'font') found.fonts.add(href)
    if (rel === 'preload' && as === 'style') found.styles.add(href)
    if (rel === 'preload' && as === 'script') found.scripts.add(href)
  }
  for (const [, text] of html.matchAll(/<script\b[^>]*type="(?:module|text\/plain)"[^>]*>([\s\S]*?)<\/script>/g)) {
    for (const path of [...staticImports(text!), ...dynamicImports(text!)]) found.scripts.add(path)
  }
  return { scripts: [...found.scripts], styles: [...found.styles], fonts: [...found.fonts] }
}

/** Paths after `import …` and `export … from`, as written in the (minified) file. */
export const staticImports = (script: string): string[] =>
  paths(script, /(?:^|[;}\s])(?:import|export)(?:[\w$*{},\s]*?\bfrom)?\s*["']([^"']+)["']/g)

/** Paths in `import("…")`. The page's inline script loads the entry this way; in other files, such imports are lazy. */
const dynamicImports = (script: string): string[] => paths(script, /\bimport\(\s*["']([^"']+)["']\s*\)/g)

const paths = (script: string, pattern: RegExp): string[] => [
  ...new Set([...script.matchAll(pattern)].map((match) => match[1]!).filter((path) => /^[./]/.test(path))),
]
