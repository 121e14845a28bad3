import { expect, test } from 'vitest'
import { cutOfDescription } from './item-page.tsx'

const splitDescription = (text: string) => [text.slice(0, cutOfDescription(text)), text.slice(cutOfDescription(text))] as const

test('ITEM-08 a short description stays whole', () => {
  for (const text of ['', 'Knotted by hand.', 'x'.repeat(580)]) expect(splitDescription(text)).toEqual([text, ''])
})

test('ITEM-08 a long one is cut after a paragraph, else a sentence, else a word, and never loses a letter', () => {
  const sentence = 'Knotted by hand, over two quiet evenings. '
  const cases: [string, RegExp][] = [
    [`${sentence.repeat(6)}\n${sentence.repeat(20)}`, /evenings\. \n$/],
    [sentence.repeat(40), /evenings\. $/],
    ['cord '.repeat(300), /cord $/],
    ['🪢'.repeat(2500), /^🪢+$/u],
    [`${'x'.repeat(5000)}`, /^x+$/],
  ]
  for (const [text, end] of cases) {
    const [start, rest] = splitDescription(text)
    expect(start).toMatch(end)
    expect(start.length).toBeGreaterThan(140)
    expect(start.length).toBeLessThanOrEqual(420)
    expect(start + rest).toBe(text)
    expect(rest.isWellFormed()).toBe(true)
  }
})
