import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { areaCheck, auditCheck, memoryCheck, paceCheck, scriptCheck, sentCheck, styleCheck, visitCheck } from './budgets.ts'
import { kB, median, percentile, times, whole } from './figures.ts'
import type { PageWeight } from './first-load.ts'
import type { PageAudit } from './lighthouse.ts'
import { growthGoal, paintGoals, readyGoals, signedInGoals, tabsGoal } from './goals.ts'
import { linksIn, staticImports } from './links.ts'
import { processorTime, spent } from './processor-time.ts'
import { checksTable, holds } from './report.ts'
import { withSection } from './sections.ts'

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

test('110,000 bytes of JavaScript are within the budget, one more is not', () => {
  expect(scriptCheck([page('/', 110_000)]).isMet).toBe(true)
  expect(scriptCheck([page('/', 1), page('/about/', 110_001)])).toMatchObject({ isMet: false, found: '110.0 kB (/about/)' })
})

test("a file of the owner's area on a public page is named; an empty list of them proves nothing", () => {
  const stray = page('/', 1, { files: ['/assets/root.js', '/assets/sales.js'] })
  expect(areaCheck([page('/', 1)], new Set(['/assets/sales.js'])).isMet).toBe(true)
  expect(areaCheck([stray], new Set(['/assets/sales.js']))).toMatchObject({ isMet: false, found: '/assets/sales.js on /' })
  expect(areaCheck([stray], new Set()).isMet).toBe(false)
})

test('20 kB of styles, 300 kB and 20 requests are within the budget, one more is not; no visit proves nothing', () => {
  const visit = (requests: number, bytes: number) => ({ path: '/', requests, bytes, pictures: 1, shift: 0, thenRequests: 0, thenBytes: 0 })
  expect([20_000, 20_001].map((bytes) => styleCheck([page('/', 1, { styles: weight(bytes) })]).isMet)).toEqual([true, false])
  expect([visit(20, 300_000), visit(21, 1), visit(1, 300_001)].map((one) => visitCheck([one]).isMet)).toEqual([true, false, false])
  expect(visitCheck([]).isMet).toBe(false)
})

test('files that cross the wire unpacked are noticed', () => {
  expect(sentCheck([page('/', 100)]).isMet).toBe(true)
  expect(sentCheck([page('/', 100, { scripts: weight(100, 300) })]).isMet).toBe(false)
})

test('120 MB at rest are too much', () => {
  expect([119e6, 120e6, 0].map((bytes) => memoryCheck(bytes).isMet)).toEqual([true, false, false])
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

test('a page below 99, or with anything to better, breaks the budget and is named; no page proves nothing', () => {
  expect([paceCheck([audited(99)]), auditCheck([audited(99)])].map((check) => check.isMet)).toEqual([true, true])
  expect(paceCheck([audited(100), audited(98)])).toMatchObject({ isMet: false, found: '98 (/about/)' })
  expect(auditCheck([audited(100), audited(100, 99)])).toMatchObject({ isMet: false, found: '/about/ (meta-description)' })
  expect([paceCheck([]), auditCheck([])].map((check) => check.isMet)).toEqual([false, false])
})

test('a measured part of a document takes its own place, and what people wrote around it stays', () => {
  const page = '# Title\n\nBefore.\n'
  const once = withSection(page, 'crowd', 'one')
  expect(once).toBe('# Title\n\nBefore.\n\n<!-- bench:crowd -->\n\none\n\n<!-- /bench:crowd -->\n')
  const two = withSection(`${once}\nAfter.\n`, 'crowd', 'two')
  expect(two).toBe('# Title\n\nBefore.\n\n<!-- bench:crowd -->\n\ntwo\n\n<!-- /bench:crowd -->\n\nAfter.\n')
})

test('a goal that is missed is told with the worst that was found, and fails no run; a broken budget does, and an area that broke', () => {
  const [half, quick] = readyGoals([
    { what: '/', share: 0.5, p99: 4.9 },
    { what: '/gallery/', share: 0.31, p99: 5 },
  ])
  expect(half).toMatchObject({ isMet: false, found: 'at least 0.31 of it (/gallery/)' })
  expect(quick).toMatchObject({ isMet: false, found: 'at most 5.00 ms (/gallery/), above it 1 of 2' })
  expect(readyGoals([{ what: '/', share: 0.5, p99: 4.9 }]).map(({ isMet }) => isMet)).toEqual([true, true])
  expect(checksTable([half!, memoryCheck(200e6)]).match(/\| (?:no|\*\*NO\*\*) +\|/g)).toEqual(['| no     |', '| **NO** |'])

  const area = { name: 'pages', seconds: 1, checks: [half!], failure: undefined }
  expect(holds([area])).toBe(true)
  expect(holds([area, { ...area, checks: [memoryCheck(200e6)] }])).toBe(false)
  expect(holds([area, { ...area, failure: 'broke' }])).toBe(false)
})

test('goals at their very limits; nothing found proves nothing', () => {
  expect(signedInGoals([900, 899].map((perSecond) => ({ what: '/gallery/', perSecond }))).map(({ isMet }) => isMet)).toEqual([true, false])
  expect(growthGoal('SQLite', [{ name: 'Home', value: 1.5 }], 1.5).isMet).toBe(true)
  expect(
    growthGoal(
      'SQLite',
      [
        { name: 'Home', value: 1.4 },
        { name: 'Search', value: 2.23 },
      ],
      1.5,
    ),
  ).toMatchObject({
    isMet: false,
    found: '1 of 2 within it, the worst 2.2 times (Search)',
  })
  expect([tabsGoal(5000, 0), tabsGoal(5000, 1)].map(({ isMet }) => isMet)).toEqual([true, false])
  const audit = { path: '/', paint: 1299, shift: 0, blocked: 49 }
  expect(paintGoals([audit]).map(({ isMet }) => isMet)).toEqual([true, true, true])
  expect(paintGoals([{ path: '/', paint: 1300, shift: 0.001, blocked: 50 }]).map(({ isMet }) => isMet)).toEqual([false, false, false])
  expect([...paintGoals([]), ...readyGoals([]), growthGoal('SQLite', [], 1.5)].some(({ isMet }) => isMet)).toBe(false)
})

test('what a thread has used is not given back when it ends, and a new one counts from its beginning', () => {
  const before = new Map(Object.entries({ 'shop/main': 100, 'postgres/ends': 600 }))
  expect(spent(before, new Map(Object.entries({ 'shop/main': 107, 'postgres/begins': 2 })))).toBe(9)
})

test.runIf(existsSync('/proc/self/schedstat'))('the system says what a process has used, and nothing of one that is not there', () => {
  const before = processorTime(process.pid)
  expect(before.size).toBeGreaterThan(0)
  expect(spent(before, processorTime(process.pid))).toBeGreaterThanOrEqual(0)
  expect(() => processorTime(4_194_305)).toThrow('ENOENT')
})
