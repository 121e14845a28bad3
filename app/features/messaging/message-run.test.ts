import { expect, test } from 'vitest'
import type { Message, MessagePage } from '#app/features/orders/order.ts'
import { goToEnd, joinEarlier, joinNewest, startRun, type Run } from './message-run.ts'

const PAGE = 5
const say = (seq: number, id = `id${seq}`): Message => ({ seq, id, message: `text ${seq}`, sender: 'x', createdAt: seq })
const upTo = (count: number) => Array.from({ length: count }, (_, i) => say(i + 1))
/** What the shop answers. */
const newestOf = (all: Message[]): MessagePage => ({ messages: all.slice(-PAGE), hasEarlier: all.length > PAGE })
const earlierOf = (all: Message[], before: number): MessagePage => newestOf(all.filter(({ seq }) => seq < before))
const seqs = (run: Run) => run.messages.map(({ seq }) => seq)
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('S-164 earlier messages stand before, news behind, and what both bring is there once', () => {
  let run = startRun(newestOf(upTo(12)))
  run = joinEarlier(run, 8, earlierOf(upTo(12), 8))
  run = joinNewest(run, newestOf(upTo(14)), true)
  expect([seqs(run), run.hasEarlier]).toEqual([range(3, 14), true])

  // The answer to a question that was asked twice.
  expect(joinEarlier(run, 8, earlierOf(upTo(14), 8))).toEqual(run)
  run = joinEarlier(run, 3, earlierOf(upTo(14), 3))
  expect([seqs(run), run.hasEarlier]).toEqual([range(1, 14), false])
  expect(joinNewest(run, newestOf(upTo(14)), false).hasEarlier).toBe(false)
})

test('S-166 after a long silence a reader elsewhere keeps what she reads until all between is here', () => {
  const all = upTo(31)
  let run = joinNewest(startRun(newestOf(upTo(12))), newestOf(all), true)
  expect(seqs(run)).toEqual(range(8, 12))
  // Meanwhile she scrolls up.
  run = joinEarlier(run, 8, earlierOf(all, 8))
  while (run.newer) {
    expect(seqs(run)).toEqual(range(3, 12))
    run = joinEarlier(run, run.newer[0]!.seq, earlierOf(all, run.newer[0]!.seq))
  }
  expect(seqs(run)).toEqual(range(3, 31))
})

test('CHAT-06 after a long silence a reader at the end sees the newest, and the rest is earlier', () => {
  const there = joinNewest(startRun(newestOf(upTo(12))), newestOf(upTo(31)), false)
  expect([seqs(there), there.hasEarlier, there.newer]).toEqual([range(27, 31), true, null])
  const later = joinNewest(startRun(newestOf(upTo(12))), newestOf(upTo(31)), true)
  expect(goToEnd(later)).toEqual(there)
})

test('a conversation that was deleted and begun anew shows nothing of the old one', () => {
  const run = startRun(newestOf(upTo(12)))
  const anew = { messages: range(1, 9).map((seq) => say(seq, `new${seq}`)), hasEarlier: false }
  for (const page of [{ messages: [], hasEarlier: false }, newestOf(upTo(3)), anew])
    expect(joinNewest(run, page, true)).toEqual(startRun(page))
})

test('S-164 S-166 however news, scrolling and answers meet, nothing is lost, doubled or out of order', () => {
  let seed = 11
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 300; round++) {
    let all = upTo(1 + next(30))
    let run = startRun(newestOf(all))
    const asked: { before: number; page: MessagePage }[] = []
    for (let step = 0; step < 40; step++) {
      const kind = next(5)
      if (kind === 0) all = upTo(all.length + next(3 * PAGE))
      if (kind === 1) run = joinNewest(run, newestOf(all), next(2) === 0)
      const before = kind === 2 ? run.messages[0]!.seq : run.newer?.[0]?.seq
      if (before && kind < 4) asked.push({ before, page: earlierOf(all, before) })
      if (kind === 4 && asked.length > 0) {
        const [one] = asked.splice(next(asked.length), 1)
        run = joinEarlier(run, one!.before, one!.page)
      }
      const shown = seqs(run)
      expect(shown).toEqual(range(shown[0]!, shown.at(-1)!))
      expect(run.hasEarlier).toBe(shown[0]! > 1)
    }
    run = joinNewest(run, newestOf(all), true)
    while (run.newer) run = joinEarlier(run, run.newer[0]!.seq, earlierOf(all, run.newer[0]!.seq))
    while (run.hasEarlier) run = joinEarlier(run, run.messages[0]!.seq, earlierOf(all, run.messages[0]!.seq))
    expect(run.messages).toEqual(all)
  }
})
