import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteDrafts, saveDraft, readDraft } from '#client/drafts.ts'
import { sendQueueFor } from './chat.tsx'
import { messageImageUploadsFor } from '../images/message-image-uploads.ts'
import {
  createSendQueue,
  type DeliveryResult,
  type UnsentMessage,
  unsentStore,
} from './send-queue.ts'

const HOUR = 3_600_000

/**
 * Creates a send queue. `answers` contains the results of the first attempts, and all later
 * attempts succeed.
 */
function openBox(answers: DeliveryResult[] = [], unsent: UnsentMessage[] = [], now = 10 * HOUR) {
  const stored = new Map(unsent.map((one) => [one.messageId, one]))
  const posted: string[] = []
  let most = 0
  let open = 0
  const box = createSendQueue({
    async post({ message }) {
      posted.push(message)
      most = Math.max(most, ++open)
      await Promise.resolve()
      open--
      return answers.shift() ?? { ok: true }
    },
    store: {
      read: () => [...stored.values()],
      keep: (one) => void stored.set(one.messageId, one),
      drop: (id) => void stored.delete(id),
    },
    now: () => now,
  })
  const say = (...messages: string[]) =>
    messages.forEach((message) => box.send({ messageId: message, message }))
  const states = () => box.read().map(({ message, state }) => `${message} ${state}`)
  const calm = () =>
    expect
      .poll(
        () => box.read().filter(({ state }) => state === 'sending' || state === 'waiting').length,
      )
      .toBe(0)
  return { box, say, states, calm, posted, stored, most: () => most }
}
const lost: DeliveryResult = { ok: false, isRefused: false }
const refused: DeliveryResult = { ok: false, isRefused: true, error: 'Order is Closed' }

test('the send queue sends messages one by one, in the sequence in which the user wrote the messages [S-169]', async () => {
  const { box, say, states, calm, posted, stored, most } = openBox()
  say('a', 'b', 'c')
  expect(states()).toEqual(['a sending', 'b waiting', 'c waiting'])
  expect(stored.size).toBe(3)
  await calm()
  expect(posted).toEqual(['a', 'b', 'c'])
  expect(states()).toEqual(['a sent', 'b sent', 'c sent'])
  expect(stored.size).toBe(0)
  expect(most()).toBe(1)

  box.arrived((id) => id !== 'c')
  expect(states()).toEqual(['c sent'])
})

test('when a message fails, later messages wait, and a retry sends all unsent messages in their sequence [S-169]', async () => {
  const { box, say, states, calm, posted, stored } = openBox([lost, lost])
  say('a', 'b')
  await calm()
  expect(posted).toEqual(['a'])
  expect(states()).toEqual(['a failed', 'b failed'])
  expect(stored.size).toBe(2)

  box.retry('b')
  await calm()
  expect(posted).toEqual(['a', 'a'])
  expect(states()).toEqual(['a failed', 'b failed'])

  say('c')
  await calm()
  expect(posted).toEqual(['a', 'a', 'a', 'b', 'c'])
})

test('a refused message does not stop later messages, and is sent again only when the writer retries [S-170]', async () => {
  const { box, say, states, calm, posted } = openBox([refused])
  say('a', 'b')
  await calm()
  expect(states()).toEqual(['a failed', 'b sent'])
  expect(box.read()[0]!.error).toBe('Order is Closed')

  box.resume()
  say('c')
  await calm()
  expect(posted).toEqual(['a', 'b', 'c'])
  box.retry('a')
  await calm()
  expect(posted).toEqual(['a', 'b', 'c', 'a'])
  expect(states()).toEqual(['b sent', 'c sent', 'a sent'])
})

test('after a reload, the send queue sends unsent messages that are younger than an hour [S-171]', async () => {
  const at = (message: string, hours: number): UnsentMessage => ({
    messageId: message,
    message,
    at: hours * HOUR,
  })
  const { box, states, calm, posted } = openBox(
    [],
    [at('new', 9.9), at('old', 8), at('newer', 9.99)],
  )
  box.start()
  await calm()
  expect(posted).toEqual(['new', 'newer'])
  expect(states()).toEqual(['old failed', 'new sent', 'newer sent'])
  box.resume()
  box.send({ messageId: 'next', message: 'next' })
  await calm()
  expect(posted).toEqual(['new', 'newer', 'next'])
  box.discard('old')
  expect(states()).toEqual(['new sent', 'newer sent', 'next sent'])
})

test('the send queue removes a message when the conversation contains it [CHAT-14]', async () => {
  const { box, say, states, calm, stored } = openBox([lost])
  say('a')
  await calm()
  box.arrived((id) => id === 'a')
  expect(states()).toEqual([])
  expect(stored.size).toBe(0)
})

/**
 * Imitates `localStorage`. Each entry is a property of the object, so that `Object.keys` lists the
 * entries.
 */
function openStorage() {
  const calls = {
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  }
  return Object.create(calls) as Record<string, string> & Pick<Storage, 'setItem'>
}
let storage: ReturnType<typeof openStorage>
beforeEach(() => {
  storage = openStorage()
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => void vi.unstubAllGlobals())

const unsent = (messageId: string, at = Date.now()) => ({
  messageId,
  message: `text of ${messageId}`,
  at,
})

test('the browser stores drafts and unsent messages separately for each user and conversation [S-171]', () => {
  saveDraft('ann', 'ann', 'half a')
  saveDraft('owner', 'ann', 'my answer')
  unsentStore('owner', 'ann').keep(unsent('a'))
  unsentStore('owner', 'ann').keep(unsent('b'))
  unsentStore('owner', 'ben').keep(unsent('c'))
  unsentStore('owner', 'ann').drop('a')

  expect(readDraft('ann', 'ann')).toBe('half a')
  expect(readDraft('owner', 'ann')).toBe('my answer')
  expect(readDraft('owner', 'ben')).toBe('')
  expect(unsentStore('owner', 'ann').read()).toEqual([
    expect.objectContaining({ messageId: 'b', message: 'text of b' }),
  ])
  expect(unsentStore('ann', 'ann').read()).toEqual([])
  saveDraft('ann', 'ann', '')
  expect(readDraft('ann', 'ann')).toBe('')
})

test('a logout deletes drafts and unsent messages [S-171]', () => {
  storage.setItem('something else', 'stays')
  saveDraft('ann', 'ann', 'half a')
  unsentStore('ann', 'ann').keep(unsent('a'))

  deleteDrafts()

  expect(Object.keys(storage)).toEqual(['something else'])
})

test('a logout removes unsent messages and chosen images from each open page, and a later message does not send them [S-171]', async () => {
  const posted: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: FormData }) => {
    posted.push(body.get('message'))
    return Response.json({ ok: false, error: 'Why not' }, { status: 403 })
  })
  const [queue, images] = [sendQueueFor('ann', 'ann'), messageImageUploadsFor('ann', 'ann')]
  queue.send({ messageId: 'a', message: 'first' })
  images.add([new File(['bytes'], 'a.jpg', { type: 'image/jpeg' })])
  await expect.poll(() => [queue.read()[0]!.state, images.read().length]).toEqual(['failed', 1])

  deleteDrafts()
  await expect.poll(() => [queue.read(), images.read()]).toEqual([[], []])
  sendQueueFor('ann', 'ann').send({ messageId: 'b', message: 'second' })
  await expect.poll(() => queue.read().map(({ state }) => state)).toEqual(['failed'])
  expect(posted).toEqual(['first', 'second'])
})

test('the browser drops unsent messages that are old or damaged, and a missing storage causes no error [S-171]', () => {
  const store = unsentStore('ann', 'ann')
  store.keep(unsent('old', Date.now() - 31 * 86_400_000))
  store.keep(unsent('new'))
  const broken = {
    syntax: '{',
    nothing: 'null',
    old: '{"messageId":"x","message":"y","at":1}',
    odd: '{"message":5}',
  }
  for (const [key, text] of Object.entries(broken)) {
    storage.setItem(`unsent:message:ann:ann:${key}`, text)
  }

  expect(store.read().map(({ messageId }) => messageId)).toEqual(['new'])
  expect(Object.keys(storage)).toEqual(['unsent:message:ann:ann:new'])

  vi.stubGlobal('localStorage', undefined)
  saveDraft('ann', 'ann', 'half a')
  store.keep(unsent('b'))
  expect(readDraft('ann', 'ann')).toBe('')
  expect(store.read()).toEqual([])
})
