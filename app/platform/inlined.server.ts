/**
 * A visitor's first page brings its styles along: on a phone's network each further request costs longer than they do. Who is signed
 * in has them already.
 */
import { existsSync, readFileSync } from 'node:fs'

/** The built browser files, seen from the built server; none in development and in tests. */
const folder = ['../client/', '../../client/']
  .map((path) => new URL(path, import.meta.url))
  .find((path) => existsSync(new URL('assets', path)))

const read = new Map<string, string | null>()

/** null: no such file. Names come from the shop's own pages, so there are few. */
function fileAt(path: string): string | null {
  const known = read.get(path)
  if (known !== undefined) return known
  let text: string | null = null
  try {
    if (folder) text = readFileSync(new URL(`.${path}`, folder), 'utf8').trim()
  } catch {
    // Then the page names it, and the browser asks.
  }
  read.set(path, text)
  return text
}

/**
 * The router's links stay, since it looks for them; a disabled one is not fetched. One without its mark ("#") tells the loader of later parts that
 * the style is there.
 */
export const withStyles = (html: string): string =>
  html.replaceAll(/<link (?:nonce="[^"]*" )?rel="stylesheet" href="(\/assets\/[\w.-]+\.css)#?"/g, (link, path: string) => {
    const style = fileAt(path)
    return style === null ? link : `<style>${style}</style><link rel="stylesheet" href="${path}" disabled=""/>${link} disabled=""`
  })
