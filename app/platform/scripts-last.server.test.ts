import { expect, test } from 'vitest'
import { scriptsLast } from './scripts-last.server.ts'

const page = `<!DOCTYPE html><html><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/><link rel="modulepreload" nonce="n" href="/assets/entry.client-a.js"/><link rel="modulepreload" nonce="n" href="/assets/frame-b.js"/></head><body><p>Knots</p><script nonce="n" type="module" async="">import * as route0 from "/assets/root-c.js";
import("/assets/entry.client-a.js");</script></body></html>`

const data = '<script nonce="n">data()</script>'

test('S-252 a page asks for no script before it has been painted, and never for the file that lies in the frame', () => {
  const html = scriptsLast(page, data, 'n')
  expect(html).not.toMatch(/<script[^>]*(type="module"|src=)/)
  expect(html).not.toContain('import("/assets/entry.client')
  // The router finds its link; for no medium a browser fetches nothing.
  expect(html.match(/<link[^>]*modulepreload[^>]*>/g)).toEqual([
    '<link media="not all" rel="modulepreload" nonce="n" href="/assets/entry.client-a.js"/>',
  ])
  expect(html).toContain('data-files="/assets/frame-b.js"')
})

test('S-252 pictures below the first screen are seen to before the first of them is read, by a script with the nonce', () => {
  const html = scriptsLast(page, data, 'n')
  const at = html.indexOf('IntersectionObserver')
  expect(at).toBeGreaterThan(html.indexOf('name="viewport"'))
  expect(at).toBeLessThan(html.indexOf('</head>'))
  expect(html.match(/<script(?![^>]*nonce="n")/g)).toBeNull()
})

test('the data of a page come behind all that React has written, and what people see is left as it is', () => {
  const said = '<p>$& $1 &lt;link rel="modulepreload" href="/assets/no.js"&gt;</p>'
  const html = scriptsLast(
    page.replace('<p>Knots</p>', () => said),
    data,
    'n',
  )
  expect(html).toContain(said)
  expect(html.indexOf(data)).toBeGreaterThan(html.indexOf('id="start"'))
  expect(html.match(/<\/body><\/html>$/)).not.toBeNull()
  // Development, and a page that has no end: nothing is moved.
  expect(scriptsLast(page, data, undefined)).toBe(page.replace('</body>', () => `${data}</body>`))
  expect(scriptsLast('<p>half', data, 'n')).toBe('<p>half')
})
