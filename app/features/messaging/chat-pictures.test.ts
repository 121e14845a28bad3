/** The browser's side of pictures in a chat, apart from React: what is sent when, what a message waits for, what is given up. */
import { expect, test } from 'vitest'
import { type Upload, itemPickTexts } from '#app/features/images/picture-upload.ts'
import type { UploadAdapters, ResizedImage } from '#app/features/images/image-upload-queue.ts'
import { createChatPictures } from './chat-pictures.ts'
import { PICTURE_FAILED, PICTURES_LEFT } from './message-pictures.ts'

const idOf = (number: number) => `Picture${number}`.padEnd(15, '0')
const file = (name: string) => new File(['bytes'], name, { type: 'image/jpeg' })
/** Until everything that was set off has run. */
const settled = () => new Promise<void>((done) => setImmediate(done))

function open({ resize = async (one: File): Promise<ResizedImage> => ({ file: one, preview: one }) }: Partial<UploadAdapters> = {}) {
  const sent: { name: string; signal: AbortSignal; end: (upload: Upload | null) => Promise<void> }[] = []
  const discarded: string[] = []
  const pictures = createChatPictures({
    resize,
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
  const uploaded = (number: number): Upload => ({ state: 'uploaded', id: idOf(number), url: `/messages/pictures/${number}.jpg` })
  const states = () => pictures.read().map(({ upload }) => upload.state)
  return { pictures, sent, discarded, uploaded, states }
}

test('S-173 what is chosen goes out at once, two at a time, each with its progress', async () => {
  const { pictures, sent, uploaded, states } = open()
  pictures.add(['a', 'b', 'c'].map(file))
  await settled()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(pictures.read()[0]!.upload).toEqual({ state: 'pending', step: 'sending', part: 0.5 })
  expect(pictures.read()[0]!.src).toMatch(/^blob:/)
  await sent[1]!.end(uploaded(2))
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(states()).toEqual(['pending', 'uploaded', 'pending'])
})

test('S-173 a message waits for its pictures and names them in their order, whichever came first', async () => {
  const { pictures, sent, uploaded } = open()
  pictures.add([file('a'), file('b')])
  await settled()
  await sent[1]!.end(uploaded(2))
  const names = pictures.take()
  expect([names.length, names[1], pictures.take()]).toEqual([2, idOf(2), []])
  let done: unknown
  const waiting = pictures.settle(names).then((settledAs) => (done = settledAs))
  await settled()
  expect(done).toBeUndefined()
  await sent[0]!.end(uploaded(1))
  await waiting
  expect(done).toEqual({ ok: true, ids: [idOf(1), idOf(2)] })
  // After a reload only ids are known; a key of before is nobody's.
  expect(await open().pictures.settle([idOf(7)])).toEqual({ ok: true, ids: [idOf(7)] })
  expect(await open().pictures.settle([idOf(7), names[0]!])).toEqual({ ok: false, text: PICTURES_LEFT })
})

test('S-173 what failed on the way is tried again with the message, what the shop has judged is not', async () => {
  const { pictures, sent, uploaded } = open()
  pictures.add([file('a'), file('b')])
  await settled()
  await sent[0]!.end(null)
  await sent[1]!.end({ state: 'error', text: itemPickTexts.damaged })
  expect(pictures.read().map(({ upload }) => upload)).toEqual([
    { state: 'error', text: PICTURE_FAILED },
    { state: 'error', text: itemPickTexts.damaged },
  ])
  const names = pictures.take()
  const waiting = pictures.settle(names)
  await settled()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
  await sent[2]!.end(uploaded(1))
  expect(await waiting).toEqual({ ok: false, text: itemPickTexts.damaged })
  pictures.retry(names[1]!)
  await settled()
  expect(sent).toHaveLength(3)
})

test('S-173 what is taken out, on its way or in the shop, goes there too; what has arrived only gives its preview back', async () => {
  const { pictures, sent, discarded, uploaded } = open()
  pictures.add(['a', 'b', 'c', 'd'].map(file))
  await settled()
  const [a, b] = pictures.read()
  pictures.remove(a!.id)
  expect(sent[0]!.signal.aborted).toBe(true)
  // Its answer was under way already.
  await sent[0]!.end(uploaded(1))
  await sent[1]!.end(uploaded(2))
  pictures.remove(b!.id)
  expect(discarded).toEqual([idOf(1), idOf(2)])
  await sent[2]!.end(uploaded(3))
  await sent[3]!.end(uploaded(4))
  const names = pictures.take()
  pictures.keepOnly(names.slice(1))
  expect([pictures.read().length, discarded.length]).toEqual([1, 2])
  pictures.giveUp(names.slice(1))
  expect(pictures.read()).toEqual([])
  expect(new Set(discarded)).toEqual(new Set([1, 2, 4].map(idOf)))
})

test('S-173 a picture that no browser can read goes out as it is, without a preview', async () => {
  const { pictures, sent } = open({
    resize: (one) => (one.name === 'a' ? Promise.reject(new Error('no')) : Promise.resolve({ file: one, preview: null })),
  })
  pictures.add([file('a'), file('b')])
  await settled()
  expect([sent.map(({ name }) => name), pictures.read().map(({ src }) => src)]).toEqual([
    ['a', 'b'],
    ['', ''],
  ])
})
