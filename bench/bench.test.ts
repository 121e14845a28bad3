import { expect, test } from 'vitest'
import { atLeast, atMost, below, none } from './checks.ts'
import { linksIn, staticImports } from './links.ts'
import { processorTime, spent } from './processor-time.ts'
import { checksTable, kB, median, percentile, times, whole, withSection } from './report.ts'

test('the 99th percentile of a hundred leaves one out, the median is the lower middle one', () => {
  const hundred = [...Array(100).keys()].toReversed()
  expect(percentile(hundred, 0.99)).toBe(98)
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2)
  expect(median([])).toBe(0)
})

test('kB are thousands of bytes, a ratio to nothing is a dash', () => {
  expect([kB(130_000), whole(1234.5), times(3, 2), times(3, 0)]).toEqual(['130.0', '1,235', '1.50 x', '–'])
})

test('goals hold at their limits, name the worst value, and are missed when nothing was measured', () => {
  const found = (...values: number[]) => values.map((value, index) => ({ name: `page ${index}`, value }))
  expect([below('', 5, '', found(4.9)), below('', 5, '', found(5))].map(({ isMet }) => isMet)).toEqual([true, false])
  expect([atMost('', 20, '', found(20)), atMost('', 20, '', found(21))].map(({ isMet }) => isMet)).toEqual([true, false])
  expect([atLeast('', 0.9, '', found(0.9)), atLeast('', 0.9, '', found(0.89))].map(({ isMet }) => isMet)).toEqual([true, false])
  expect(atLeast('Score', 97, '', found(96, 99, 93))).toMatchObject({ found: '93 (page 2), missed by 2 of 3', isMet: false })
  expect([below('', 1, '', []), atMost('', 1, '', []), atLeast('', 1, '', [])].some(({ isMet }) => isMet)).toBe(false)
  expect([none('', []).isMet, none('', ['x']).isMet]).toEqual([true, false])
  expect(checksTable([none('Lost', []), none('Lost', ['x'])]).match(/\| (?:yes|\*\*no\*\*) +\|/g)).toEqual(['| yes    |', '| **no** |'])
})

test('a section replaces itself in the document, and the text around it stays', () => {
  const page = '# Title\n\nBefore.\n'
  const once = withSection(page, 'pages', 'one')
  expect(once).toBe('# Title\n\nBefore.\n\n<!-- bench:pages -->\n\none\n\n<!-- /bench:pages -->\n')
  const two = withSection(`${once}\nAfter.\n`, 'pages', 'two')
  expect(two).toBe('# Title\n\nBefore.\n\n<!-- bench:pages -->\n\ntwo\n\n<!-- /bench:pages -->\n\nAfter.\n')
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

test('what a thread has used is not given back when it ends, and a new one counts from its beginning', () => {
  const before = new Map(Object.entries({ 'shop/main': 100, 'postgres/ends': 600 }))
  expect(spent(before, new Map(Object.entries({ 'shop/main': 107, 'postgres/begins': 2 })))).toBe(9)
})

test('the system says what a process has used, and nothing of one that is not there', () => {
  const before = processorTime(process.pid)
  expect(before.size).toBeGreaterThan(0)
  expect(spent(before, processorTime(process.pid))).toBeGreaterThanOrEqual(0)
  expect(() => processorTime(4_194_305)).toThrow('ENOENT')
})
