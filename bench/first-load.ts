/**
 * Measures the files that a browser downloads to open a public page: HTML, JavaScript, style sheets
 * and fonts.
 */
import { globSync, readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { atMost, none, type Check } from './checks.ts'
import { findFirstLoadFiles, staticImports } from './first-load-files.ts'
import { fetchRaw } from './raw.ts'

type Weight = { raw: number; gzip: number; brotli: number; sent: number }
export type PageWeight = {
  path: string
  html: Weight
  scripts: Weight
  styles: Weight
  fonts: Weight
  files: string[]
}

const nothing: Weight = { raw: 0, gzip: 0, brotli: 0, sent: 0 }
const MAX_SCRIPT = 110_000
const MAX_STYLE = 25_000
const MAX_GALLERY_HTML = 100_000
const browser = { 'accept-encoding': 'gzip, br' }

/**
 * Measures a page with all files that it loads, including the static imports of its scripts. Each
 * file counts once.
 */
export async function weighPage(origin: string, path: string): Promise<PageWeight> {
  const html = await (await fetch(origin + path)).text()
  const { scripts, styles, fonts } = findFirstLoadFiles(html)
  const waiting = [...scripts]
  const reached = new Map<string, Weight>()
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const address = new URL(next, origin + path)
    if (reached.has(address.pathname)) continue
    const { weight, text } = await weighOnce(address.href)
    reached.set(address.pathname, weight)
    for (const more of staticImports(text)) waiting.push(new URL(more, address).pathname)
  }
  const weighAll = async (links: string[]) =>
    sum(await Promise.all(links.map(async (link) => (await weighOnce(origin + link)).weight)))
  return {
    path,
    html: (await weighFile(origin + path, true)).weight,
    scripts: sum([...reached.values()]),
    styles: await weighAll(styles),
    fonts: await weighAll(fonts),
    files: [...reached.keys(), ...styles],
  }
}

const weighed = new Map<string, ReturnType<typeof weighFile>>()

/** Measures each file only once, because pages share most of their files. */
function weighOnce(url: string): ReturnType<typeof weighFile> {
  const known = weighed.get(url) ?? weighFile(url)
  weighed.set(url, known)
  return known
}

/**
 * Measures a file. If `isPage` is true, the file may have status 404, because pages with this
 * status are measured, too.
 */
async function weighFile(url: string, isPage = false): Promise<{ weight: Weight; text: string }> {
  const [plain, sent] = await Promise.all([fetchRaw(url), fetchRaw(url, browser)])
  if (plain.status !== 200 && !(isPage && plain.status === 404)) {
    throw new Error(`${url} answers ${plain.status}`)
  }
  const weight = {
    raw: plain.body.length,
    gzip: gzipSync(plain.body, { level: 9 }).length,
    brotli: brotliCompressSync(plain.body).length,
    sent: sent.body.length,
  }
  return { weight, text: plain.body.toString() }
}

const sum = (weights: Weight[]): Weight =>
  weights.reduce(
    (all, one) => ({
      raw: all.raw + one.raw,
      gzip: all.gzip + one.gzip,
      brotli: all.brotli + one.brotli,
      sent: all.sent + one.sent,
    }),
    nothing,
  )

type Manifest = { routes: Record<string, { module: string; css?: string[] }> }

/**
 * Returns the files that only the owner's pages use, according to the manifest of routes in the
 * build.
 */
function filesOfTheOwnersArea(): Set<string> {
  // Two files have such a name. The file with the routes is used, and the empty file of the web app
  // manifest's route is ignored.
  const manifests = globSync('build/client/assets/manifest-*.js').map((file) =>
    readFileSync(file, 'utf8'),
  )
  const text = manifests.find((written) => written.includes('"routes"')) ?? '{"routes":{}}'
  const { routes } = JSON.parse(
    text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1),
  ) as Manifest
  const of = (isOwners: boolean) =>
    Object.entries(routes)
      .filter(([id]) => id.startsWith('routes/manage/') === isOwners)
      .flatMap(([, route]) => [route.module, ...(route.css ?? [])])
  // A file that a public route also uses does not count as a file of the owner's pages.
  const shared = new Set(of(false))
  return new Set(of(true).filter((file) => !shared.has(file)))
}

/**
 * Compares scripts, style sheets and HTML of the public pages with their limits.
 * test/e2e/page-load.test.ts also calls this function.
 */
export function weightChecks(pages: PageWeight[]): Check[] {
  const of = (read: (page: PageWeight) => number) =>
    pages.map((page) => ({ name: page.path, value: read(page) }))
  const owners = filesOfTheOwnersArea()
  const packed = ({ scripts, styles }: PageWeight) =>
    (scripts.sent + styles.sent) / (scripts.gzip + styles.gzip)
  return [
    atMost(
      'JavaScript of a public page, bytes as sent',
      MAX_SCRIPT,
      '',
      of(({ scripts }) => scripts.sent),
    ),
    atMost(
      'Style sheets of a public page, bytes as sent',
      MAX_STYLE,
      '',
      of(({ styles }) => styles.sent),
    ),
    atMost('JavaScript and style sheets as sent, compared with gzip', 1.1, ' x', of(packed)),
    atMost(
      'HTML of the gallery, bytes uncompressed',
      MAX_GALLERY_HTML,
      '',
      pages
        .filter(({ path }) => path === '/gallery/')
        .map(({ path, html }) => ({ name: path, value: html.raw })),
    ),
    none(
      "Files of the owner's area on public pages",
      pages.flatMap(({ path, files }) =>
        files.filter((file) => owners.has(file)).map((file) => `${file} on ${path}`),
      ),
    ),
  ]
}
