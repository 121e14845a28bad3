import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetDrafts, keepDraft, readDraft } from '#app/platform/request-draft.ts'
import { unsentStore } from './send-queue.ts'

/** As browsers have it: the entries are its own properties. */
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

const one = (messageId: string, at = Date.now()) => ({ messageId, message: `text of ${messageId}`, at })

test('S-171 what is begun and what is not sent is kept for each reader and conversation, each message by itself', () => {
  keepDraft('ann', 'ann', 'half a')
  keepDraft('owner', 'ann', 'my answer')
  unsentStore('owner', 'ann').keep(one('a'))
  unsentStore('owner', 'ann').keep(one('b'))
  unsentStore('owner', 'ben').keep(one('c'))
  unsentStore('owner', 'ann').drop('a')

  expect([readDraft('ann', 'ann'), readDraft('owner', 'ann'), readDraft('owner', 'ben')]).toEqual(['half a', 'my answer', ''])
  expect(unsentStore('owner', 'ann').read()).toEqual([expect.objectContaining({ messageId: 'b', message: 'text of b' })])
  expect(unsentStore('ann', 'ann').read()).toEqual([])
  keepDraft('ann', 'ann', '')
  expect(readDraft('ann', 'ann')).toBe('')
})

test('S-171 who logs out leaves nothing of it for the next person at the same browser', () => {
  storage.setItem('something else', 'stays')
  keepDraft('ann', 'ann', 'half a')
  unsentStore('ann', 'ann').keep(one('a'))

  forgetDrafts()

  expect(Object.keys(storage)).toEqual(['something else'])
})

test('S-171 after thirty days, or when it is no message, it is taken away; a browser without storage breaks nothing', () => {
  const store = unsentStore('ann', 'ann')
  store.keep(one('old', Date.now() - 31 * 86_400_000))
  store.keep(one('new'))
  for (const [key, text] of Object.entries({
    broken: '{',
    nothing: 'null',
    other: '{"messageId":"x","message":"y","at":1}',
    odd: '{"message":5}',
  }))
    storage.setItem(`unsent:message:ann:ann:${key}`, text)

  expect(store.read().map(({ messageId }) => messageId)).toEqual(['new'])
  expect(Object.keys(storage)).toEqual(['unsent:message:ann:ann:new'])

  vi.stubGlobal('localStorage', undefined)
  keepDraft('ann', 'ann', 'half a')
  store.keep(one('b'))
  expect([readDraft('ann', 'ann'), store.read()]).toEqual(['', []])
})
