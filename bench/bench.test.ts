import { expect, test } from 'vitest'
import { atLeast, atMost, below, none } from './checks.ts'
import { findFirstLoadFiles, staticImports } from './first-load-files.ts'
import { checksTable, withSection } from './report.ts'

test('compares values with the limit of a goal, reports the worst value, and counts a goal without values as missed', () => {
  const found = (...values: number[]) =>
    values.map((value, index) => ({ name: `page ${index}`, value }))
  expect(
    [below('', 5, '', found(4.9)), below('', 5, '', found(5))].map(({ isMet }) => isMet),
  ).toEqual([true, false])
  expect(
    [atMost('', 20, '', found(20)), atMost('', 20, '', found(21))].map(({ isMet }) => isMet),
  ).toEqual([true, false])
  expect(
    [atLeast('', 0.9, '', found(0.9)), atLeast('', 0.9, '', found(0.89))].map(({ isMet }) => isMet),
  ).toEqual([true, false])
  expect(atLeast('Score', 97, '', found(96, 99, 93))).toMatchObject({
    found: '93 (page 2), missed by 2 of 3',
    isMet: false,
  })
  expect(
    [below('', 1, '', []), atMost('', 1, '', []), atLeast('', 1, '', [])].some(
      ({ isMet }) => isMet,
    ),
  ).toBe(false)
  expect([none('', []).isMet, none('', ['x']).isMet]).toEqual([true, false])
  expect(
    checksTable([none('Lost', []), none('Lost', ['x'])]).match(/\| (?:yes|\*\*no\*\*) \|/g),
  ).toEqual(['| yes |', '| **no** |'])
})

test('the report of a benchmark replaces the old section of the same area, or adds a section at the end', () => {
  const first = withSection('', 'pages', 'old')
  expect(first).toBe('<!-- bench:pages -->\n\nold\n\n<!-- /bench:pages -->\n')
  const both = withSection(first, 'start', '306 ms')
  expect(withSection(both, 'pages', 'new')).toBe(both.replace('old', 'new'))
})

test('finds the scripts, style sheets and fonts that a page loads', () => {
  const html = `<link rel="modulepreload" href="/assets/root.js"/><link rel="stylesheet" href="/assets/root.css"/>
    <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="/assets/a.woff2"/><link rel="icon" href="/favicon.svg"/>
    <script src="/plain.js"></script><script nonce="x" type="module">import "/assets/manifest-1.js";
    import * as route0 from "/assets/root.js";
    import("/assets/entry.js");</script><script>import("/assets/never.js")</script>`
  expect(findFirstLoadFiles(html)).toEqual({
    scripts: ['/assets/root.js', '/plain.js', '/assets/manifest-1.js', '/assets/entry.js'],
    styles: ['/assets/root.css'],
    fonts: ['/assets/a.woff2'],
  })
})

test('finds the static imports of a minified script, but not its dynamic imports', () => {
  const script = `import{a as b,c}from"./one.js";import*as d from'./two.js';import"./three.js";import e,{f}from"./four.js";var x=import("./lazy.js");export*from"./five.js";export{g}from"./six.js";import"react";y("import './no.js'")`
  expect(staticImports(script)).toEqual([
    './one.js',
    './two.js',
    './three.js',
    './four.js',
    './five.js',
    './six.js',
  ])
})
