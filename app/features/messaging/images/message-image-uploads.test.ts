import { expect, test } from 'vitest'
import type { Upload } from '#images/image-upload.ts'
import { itemFileErrorTexts } from '#images/texts.ts'
import { createMessageImageUploads } from './message-image-uploads.ts'
import { messageImageTexts } from '../texts.ts'

const idOf = (number: number) => `Picture${number}`.padEnd(15, '0')
const file = (name: string) => new File(['bytes'], name, { type: 'image/jpeg' })
/** Waits until all pending callbacks have run. */
const settled = () => new Promise<void>((done) => setImmediate(done))

function open() {
  const sent: {
    name: string
    signal: AbortSignal
    end: (upload: Upload | null) => Promise<void>
  }[] = []
  const discarded: string[] = []
  const images = createMessageImageUploads({
    resize: async (one) => ({ file: one, preview: one }),
    discard: ({ id }) => void discarded.push(id),
    upload: ({ name, signal, onChange }) =>
      new Promise((resolve) => {
        onChange({ state: 'pending', step: 'sending', part: 0.5 })
        const end = async (upload: Upload | null) => {
          resolve(upload)
          await settled()
        }
        sent.push({ name, signal, end })
      }),
  })
  const uploaded = (number: number): Upload => ({
    state: 'uploaded',
    id: idOf(number),
    url: `/messages/pictures/${number}.jpg`,
  })
  const states = () => images.read().map(({ upload }) => upload.state)
  return { images, sent, discarded, uploaded, states }
}

test('the browser uploads chosen images immediately, at most two at a time, and shows the progress of each image [S-173]', async () => {
  const { images, sent, uploaded, states } = open()
  images.add(['a', 'b', 'c'].map(file))
  await settled()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(images.read()[0]!.upload).toEqual({ state: 'pending', step: 'sending', part: 0.5 })
  expect(images.read()[0]!.src).toMatch(/^blob:/)
  await sent[1]!.end(uploaded(2))
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(states()).toEqual(['pending', 'uploaded', 'pending'])
})

test('the browser sends a message only after its pictures are uploaded, and keeps the sequence of the pictures [S-173]', async () => {
  const { images, sent, uploaded } = open()
  images.add([file('a'), file('b')])
  await settled()
  await sent[1]!.end(uploaded(2))
  const names = images.take()
  expect(names.length).toBe(2)
  expect(names[1]).toEqual(idOf(2))
  expect(images.take()).toEqual([])
  let done: unknown
  const waiting = images.settle(names).then((settledAs) => (done = settledAs))
  await settled()
  expect(done).toBeUndefined()
  await sent[0]!.end(uploaded(1))
  await waiting
  expect(done).toEqual({ ok: true, ids: [idOf(1), idOf(2)] })
  // After a reload, the ids of finished uploads are still valid, but the local ids of other images
  // are unknown.
  expect(await open().images.settle([idOf(7)])).toEqual({ ok: true, ids: [idOf(7)] })
  expect(await open().images.settle([idOf(7), names[0]!])).toEqual({
    ok: false,
    text: messageImageTexts.notUploaded,
  })
})

test('the browser retries an upload that failed because of the network, but not an upload that the shop refused [S-173]', async () => {
  const { images, sent, uploaded } = open()
  images.add([file('a'), file('b')])
  await settled()
  await sent[0]!.end(null)
  await sent[1]!.end({ state: 'error', text: itemFileErrorTexts.damaged })
  expect(images.read().map(({ upload }) => upload)).toEqual([
    { state: 'error', text: messageImageTexts.failed },
    { state: 'error', text: itemFileErrorTexts.damaged },
  ])
  const names = images.take()
  const waiting = images.settle(names)
  await settled()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
  await sent[2]!.end(uploaded(1))
  expect(await waiting).toEqual({ ok: false, text: itemFileErrorTexts.damaged })
  images.retry(names[1]!)
  await settled()
  expect(sent).toHaveLength(3)
})

test('when the writer removes a picture, the browser cancels the upload or deletes the uploaded picture [S-173]', async () => {
  const { images, sent, discarded, uploaded } = open()
  images.add(['a', 'b', 'c', 'd'].map(file))
  await settled()
  const [a, b] = images.read()
  images.remove(a!.id)
  expect(sent[0]!.signal.aborted).toBe(true)
  // The HTTP response arrives although the browser has canceled the upload.
  await sent[0]!.end(uploaded(1))
  await sent[1]!.end(uploaded(2))
  images.remove(b!.id)
  expect(discarded).toEqual([idOf(1), idOf(2)])
  await sent[2]!.end(uploaded(3))
  await sent[3]!.end(uploaded(4))
  const names = images.take()
  images.keepOnly(names.slice(1))
  expect(images.read().length).toBe(1)
  expect(discarded.length).toBe(2)
  images.giveUp(names.slice(1))
  expect(images.read()).toEqual([])
  expect(new Set(discarded)).toEqual(new Set([1, 2, 4].map(idOf)))
})
