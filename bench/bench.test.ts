import { expect, test } from 'vitest'
import { areaCheck, auditCheck, memoryCheck, paceCheck, scriptCheck, sentCheck } from './budgets.ts'
import { kB, median, percentile, times, whole } from './figures.ts'
import type { PageWeight } from './first-load.ts'
import type { PageAudit } from './lighthouse.ts'
import { linksIn, staticImports } from './links.ts'

const weight = (gzip: number, sent = gzip) => ({ raw: 3 * gzip, gzip, brotli: gzip, sent })
const page = (path: string, gzip: number, more: Partial<PageWeight> = {}): PageWeight => ({
  path,
  html: weight(1),
  scripts: weight(gzip),
  styles: weight(0),
  fonts: weight(0),
  files: ['/assets/root.js'],
  ...more,
})

test('the 99th percentile of a hundred leaves one out, the median is the lower middle one', () => {
  const hundred = [...Array(100).keys()].toReversed()
  expect(percentile(hundred, 0.99)).toBe(98)
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2)
  expect(median([])).toBe(0)
})

test('kB are thousands, a ratio to nothing is a dash', () => {
  expect([kB(130_000), whole(1234.5), times(3, 2), times(3, 0)]).toEqual(['130.0', '1,235', '1.50 x', '–'])
})

test('a page loads what its links, its scripts and its inline module name', () => {
  const html = `<link rel="modulepreload" href="/assets/root.js"/><link rel="stylesheet" href="/assets/root.css"/>
    <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/assets/a.woff2"/><link rel="icon" href="/favicon.svg"/>
    <script src="/plain.js"></script><script nonce="x" type="module">import "/assets/manifest-1.js";
    import * as route0 from "/assets/root.js";
    import("/assets/entry.js");</script><script>import("/assets/never.js")</script>`
  expect(linksIn(html)).toEqual({
    scripts: ['/assets/root.js', '/plain.js', '/assets/manifest-1.js', '/assets/entry.js'],
    styles: ['/assets/root.css'],
    fonts: ['/assets/a.woff2'],
  })
})

test('minified imports and re-exports are followed, lazy ones, packages and texts are not', () => {
  const script = `import{a as b,c}from"./one.js";import*as d from'./two.js';import"./three.js";import e,{f}from"./four.js";var x=import("./lazy.js");export*from"./five.js";export{g}from"./six.js";import"react";y("import './no.js'")`
  expect(staticImports(script)).toEqual(['./one.js', './two.js', './three.js', './four.js', './five.js', './six.js'])
})

test('122,000 bytes of JavaScript are within the budget, one more is not', () => {
  expect(scriptCheck([page('/', 122_000)]).isMet).toBe(true)
  expect(scriptCheck([page('/', 1), page('/about/', 122_001)])).toMatchObject({ isMet: false, found: '122.0 kB (/about/)' })
})

test("a file of the owner's area on a public page is named; an empty list of them proves nothing", () => {
  const stray = page('/', 1, { files: ['/assets/root.js', '/assets/sales.js'] })
  expect(areaCheck([page('/', 1)], new Set(['/assets/sales.js'])).isMet).toBe(true)
  expect(areaCheck([stray], new Set(['/assets/sales.js']))).toMatchObject({ isMet: false, found: '/assets/sales.js on /' })
  expect(areaCheck([stray], new Set()).isMet).toBe(false)
})

test('files that cross the wire unpacked are noticed', () => {
  expect(sentCheck([page('/', 100)]).isMet).toBe(true)
  expect(sentCheck([page('/', 100, { scripts: weight(100, 300) })]).isMet).toBe(false)
})

test('200 MB at rest are too much', () => {
  expect([199e6, 200e6, 0].map((bytes) => memoryCheck(bytes).isMet)).toEqual([true, false, false])
})

const audited = (performance: number, seo = 100): PageAudit => ({
  path: '/about/',
  isHidden: false,
  scores: { performance, accessibility: 100, 'best-practices': 100, seo },
  paint: 1,
  shift: 0,
  blocked: 0,
  bytes: 1,
  requests: 1,
  failed: seo < 100 ? ['meta-description'] : [],
})

test('a page below 95, or with anything to better, breaks the budget and is named; no page proves nothing', () => {
  expect([paceCheck([audited(95)]), auditCheck([audited(95)])].map((check) => check.isMet)).toEqual([true, true])
  expect(paceCheck([audited(100), audited(94)])).toMatchObject({ isMet: false, found: '94 (/about/)' })
  expect(auditCheck([audited(100), audited(100, 99)])).toMatchObject({ isMet: false, found: '/about/ (meta-description)' })
  expect([paceCheck([]), auditCheck([])].map((check) => check.isMet)).toEqual([false, false])
})
