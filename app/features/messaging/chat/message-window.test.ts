import { expect, test } from 'vitest'
import type { Message, MessagePage } from '#conversation/message.ts'
import {
  createWindow,
  findCardBefore,
  mergeEarlier,
  mergeNewest,
  type MessageWindow,
  replaceMessages,
  showNewest,
} from './message-window.ts'

const PAGE = 5
const say = (seq: number, id = `id${seq}`): Message => ({
  seq,
  id,
  message: `text ${seq}`,
  sender: 'x',
  createdAt: seq,
})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => say(i + 1))
const newestOf = (all: Message[]): MessagePage => ({
  messages: all.slice(-PAGE),
  hasEarlier: all.length > PAGE,
})
const earlierOf = (all: Message[], before: number): MessagePage =>
  newestOf(all.filter(({ seq }) => seq < before))
const seqs = (run: MessageWindow) => run.messages.map(({ seq }) => seq)
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

test('if the reader has scrolled up, newer messages appear only after all messages before them are loaded [S-166]', () => {
  const all = upTo(31)
  let run = mergeNewest(createWindow(newestOf(upTo(12))), newestOf(all), true)
  expect(seqs(run)).toEqual(range(8, 12))
  run = mergeEarlier(run, 8, earlierOf(all, 8))
  while (run.newer) {
    expect(seqs(run)).toEqual(range(3, 12))
    run = mergeEarlier(run, run.newer[0]!.seq, earlierOf(all, run.newer[0]!.seq))
  }
  expect(seqs(run)).toEqual(range(3, 31))
})

test('a reader at the end of the conversation sees new messages [CHAT-06]', () => {
  const window = mergeNewest(createWindow(newestOf(upTo(12))), newestOf(upTo(31)), false)
  expect(seqs(window)).toEqual(range(27, 31))
  expect(window.hasEarlier).toBe(true)
  expect(window.newer).toBe(null)
  const later = mergeNewest(createWindow(newestOf(upTo(12))), newestOf(upTo(31)), true)
  expect(showNewest(later)).toEqual(window)
})

test('when a conversation was deleted and started again, the reader sees only the messages of the new conversation', () => {
  const run = createWindow(newestOf(upTo(12)))
  const fresh = { messages: range(1, 9).map((seq) => say(seq, `new${seq}`)), hasEarlier: false }
  for (const page of [{ messages: [], hasEarlier: false }, newestOf(upTo(3)), fresh]) {
    expect(mergeNewest(run, page, true)).toEqual(createWindow(page))
  }
})

test('the browser never loses, duplicates or reorders a message, in any sequence of new messages and scrolling [S-164, S-166]', () => {
  let seed = 11
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 300; round++) {
    let all = upTo(1 + next(30))
    let run = createWindow(newestOf(all))
    const asked: { before: number; page: MessagePage }[] = []
    for (let step = 0; step < 40; step++) {
      const kind = next(5)
      if (kind === 0) all = upTo(all.length + next(3 * PAGE))
      if (kind === 1) run = mergeNewest(run, newestOf(all), next(2) === 0)
      const before = kind === 2 ? run.messages[0]!.seq : run.newer?.[0]?.seq
      if (before && kind < 4) asked.push({ before, page: earlierOf(all, before) })
      if (kind === 4 && asked.length > 0) {
        const [one] = asked.splice(next(asked.length), 1)
        run = mergeEarlier(run, one!.before, one!.page)
      }
      const shown = seqs(run)
      expect(shown).toEqual(range(shown[0]!, shown.at(-1)!))
      expect(run.hasEarlier).toBe(shown[0]! > 1)
    }
    run = mergeNewest(run, newestOf(all), true)
    while (run.newer) run = mergeEarlier(run, run.newer[0]!.seq, earlierOf(all, run.newer[0]!.seq))
    while (run.hasEarlier) {
      run = mergeEarlier(run, run.messages[0]!.seq, earlierOf(all, run.messages[0]!.seq))
    }
    expect(run.messages).toEqual(all)
  }
})

/** Does what the hook does after a live update. Also returns how many pages were loaded again. */
function reloadCards(run: MessageWindow, all: Message[]): [MessageWindow, number] {
  let [before, pages] = [newestOf(all).messages[0]!.seq, 0]
  for (let card = findCardBefore(run, before); card; card = findCardBefore(run, before)) {
    const page = earlierOf(all, card.seq + 1)
    run = replaceMessages(run, page)
    before = page.messages[0]!.seq
    pages++
  }
  return [run, pages]
}

/**
 * Each message whose number is a multiple of `every` contains an offer or a requested item with
 * this state.
 */
const withCards = (messages: Message[], every: number, state: number) =>
  messages.map((message) => {
    const card = message.seq % 2 ? { offer: { state } } : { request: { state } }
    return message.seq % every ? message : ({ ...message, ...card } as unknown as Message)
  })

test('after a live update, all loaded offers and requested items are up to date, and pages without them are not loaded again [S-451]', () => {
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 300; round++) {
    const every = [1, 3, 17, Infinity][next(4)]!
    let all = withCards(upTo(1 + next(40)), every, 0)
    let run = createWindow(newestOf(all))
    for (let step = 1; step < 20; step++) {
      const before = run.newer?.[0]?.seq ?? run.messages[0]!.seq
      run = mergeEarlier(run, before, earlierOf(all, before))
      if (next(2) === 0) continue
      all = withCards(upTo(all.length + next(3 * PAGE)), every, step)
      run = mergeNewest(run, newestOf(all), next(4) > 0)
      const held = [...run.messages, ...(run.newer ?? [])].map(({ seq }) => seq)
      const [reloaded, pages] = reloadCards(run, all)
      run = reloaded
      expect([...run.messages, ...(run.newer ?? [])]).toEqual(held.map((seq) => all[seq - 1]))
      expect(pages).toBeLessThanOrEqual(
        Math.min(held.length / PAGE + 1, held.filter((seq) => seq % every === 0).length),
      )
    }
  }
})
