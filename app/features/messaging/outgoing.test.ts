import { expect, test } from 'vitest'
import { openOutbox, type Delivered, type Unsent } from './send-queue.ts'

const HOUR = 3_600_000

/** `answers`: one for each try; without more every message is accepted. */
function openBox(answers: Delivered[] = [], kept: Unsent[] = [], now = 10 * HOUR) {
  const stored = new Map(kept.map((one) => [one.messageId, one]))
  const posted: string[] = []
  let most = 0
  let open = 0
  const box = openOutbox({
    async post({ message }) {
      posted.push(message)
      most = Math.max(most, ++open)
      await Promise.resolve()
      open--
      return answers.shift() ?? { ok: true }
    },
    store: { read: () => [...stored.values()], keep: (one) => void stored.set(one.messageId, one), drop: (id) => void stored.delete(id) },
    now: () => now,
  })
  const say = (...messages: string[]) => messages.forEach((message) => box.send({ messageId: message, message }))
  const states = () => box.list().map(({ message, state }) => `${message} ${state}`)
  const calm = () => expect.poll(() => box.list().filter(({ state }) => state === 'sending' || state === 'waiting').length).toBe(0)
  return { box, say, states, calm, posted, stored, most: () => most }
}
const lost: Delivered = { ok: false, isRefused: false }
const refused: Delivered = { ok: false, isRefused: true, error: 'Order is Closed' }

test('S-169 messages sent at once go out one after the other, in their order', async () => {
  const { box, say, states, calm, posted, stored, most } = openBox()
  say('a', 'b', 'c')
  expect(states()).toEqual(['a sending', 'b waiting', 'c waiting'])
  expect(stored.size).toBe(3)
  await calm()
  expect([posted, states(), stored.size, most()]).toEqual([['a', 'b', 'c'], ['a sent', 'b sent', 'c sent'], 0, 1])

  box.arrived((id) => id !== 'c')
  expect(states()).toEqual(['c sent'])
})

test('S-169 nobody overtakes what did not get through; a retry and the next message take all along', async () => {
  const { box, say, states, calm, posted, stored } = openBox([lost, lost])
  say('a', 'b')
  await calm()
  expect([posted, states(), stored.size]).toEqual([['a'], ['a failed', 'b failed'], 2])

  box.retry('b')
  await calm()
  expect([posted, states()]).toEqual([
    ['a', 'a'],
    ['a failed', 'b failed'],
  ])

  say('c')
  await calm()
  expect(posted).toEqual(['a', 'a', 'a', 'b', 'c'])
})

test('S-170 a message that is refused holds up no other, says why, and is tried again only by its writer', async () => {
  const { box, say, states, calm, posted } = openBox([refused])
  say('a', 'b')
  await calm()
  expect([states(), box.list()[0]!.error]).toEqual([['a failed', 'b sent'], 'Order is Closed'])

  box.resume()
  say('c')
  await calm()
  expect(posted).toEqual(['a', 'b', 'c'])
  box.retry('a')
  await calm()
  expect([posted, states()]).toEqual([
    ['a', 'b', 'c', 'a'],
    ['b sent', 'c sent', 'a sent'],
  ])
})

test('S-171 what the last page could not send goes on by itself, in its order; what is older than an hour waits for its writer', async () => {
  const at = (message: string, hours: number): Unsent => ({ messageId: message, message, at: hours * HOUR })
  const { box, states, calm, posted } = openBox([], [at('new', 9.9), at('old', 8), at('newer', 9.99)])
  box.start()
  await calm()
  expect([posted, states()]).toEqual([
    ['new', 'newer'],
    ['old failed', 'new sent', 'newer sent'],
  ])
  box.resume()
  box.send({ messageId: 'next', message: 'next' })
  await calm()
  expect(posted).toEqual(['new', 'newer', 'next'])
  box.discard('old')
  expect(states()).toEqual(['new sent', 'newer sent', 'next sent'])
})

test('CHAT-14 a message that is there counts as sent, whatever became of the answer', async () => {
  const { box, say, states, calm, stored } = openBox([lost])
  say('a')
  await calm()
  box.arrived((id) => id === 'a')
  expect([states(), stored.size]).toEqual([[], 0])
})
