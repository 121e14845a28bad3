import { expect, test } from 'vitest'
import type { Upload } from '#images/image-upload.ts'
import { itemImageTexts } from './texts.ts'
import { createItemImages, type ItemUpload } from './item-images.ts'

const photo = (name: string) => new File(['photo'], name, { type: 'image/jpeg' })
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const stored = (id: string): Upload => ({
  state: 'uploaded',
  id,
  url: `/pictures/items/walls/${id}.jpg`,
})

function open(category = 'walls') {
  const sent: (ItemUpload & { end: (upload: Upload | null) => Promise<void> })[] = []
  const discarded: string[] = []
  const messages: string[] = []
  const editor = createItemImages([], {
    resize: async (file) => ({ file: new Blob([file.name, ' made smaller']), preview: null }),
    upload: (sending) =>
      new Promise((resolve) => {
        const end = (upload: Upload | null) => (resolve(upload), turn())
        sent.push({ ...sending, end })
      }),
    discard: ({ url }) => void discarded.push(url),
    onError: (text) => void messages.push(text),
  })
  editor.setCategory(category)
  const states = () =>
    editor.read().map(({ upload }) => (upload?.state === 'pending' ? upload.step : upload?.state))
  return { editor, sent, discarded, messages, states }
}

test('image uploads start when the owner selects a category, and saving waits for all uploads [MERCH-33, FILES-07, FILES-08]', async () => {
  const { editor, sent, states } = open('')
  editor.add(['a', 'b', 'c'].map(photo))
  expect(editor.read()[0]!.upload).toMatchObject({ state: 'pending' })
  await turn()
  expect(sent).toEqual([])
  expect(states()).toEqual(['waiting', 'waiting', 'waiting'])

  editor.setCategory('walls')
  expect(sent.map(({ name, categoryId }) => [name, categoryId])).toEqual([
    ['a', 'walls'],
    ['b', 'walls'],
  ])
  expect(await sent[0]!.file.text()).toBe('a made smaller')
  // A change of the category does not move running and finished uploads to the new category.
  // [S-096]
  editor.setCategory('bags')
  await sent[1]!.end(stored('2'))
  expect(sent.map(({ name, categoryId }) => name + categoryId).slice(2)).toEqual(['cbags'])
  let settled: unknown
  void editor.settle().then((result) => (settled = result))
  await sent[0]!.end(stored('1'))
  expect(settled).toBeUndefined()
  await sent[2]!.end(stored('3'))
  expect(settled).toMatchObject({ ok: true })

  const form = new FormData()
  form.append('files', photo('a'))
  form.append('image', 'leftover')
  editor.move(2, 0)
  editor.change(editor.read()[0]!.id, { colors: ['ash', 'sage'], isAvailable: false })
  editor.appendTo(form)
  expect(form.getAll('image')).toEqual(['upload-3', 'upload-1', 'upload-2'])
  expect(form.getAll('color:upload-3')).toEqual(['ash', 'sage'])
  expect(form.has('available:upload-3')).toBe(false)
  expect(form.get('available:upload-1')).toBe('on')
  expect(form.has('files')).toBe(false)
})

test('saving retries a failed upload once, but never an upload that the shop has refused [FILES-10, MERCH-43]', async () => {
  const { editor, sent, messages, states } = open()
  editor.add([photo('a'), photo('b')])
  await turn()
  await sent[0]!.end(null)
  await sent[1]!.end({ state: 'error', text: 'please select an image' })
  expect(states()).toEqual(['error', 'error'])
  expect(messages).toEqual(['An Error Occured while Uploading Image...', 'please select an image'])

  const settled = editor.settle()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
  await sent[2]!.end(stored('1'))
  expect(await settled).toEqual({ ok: false, text: 'please select an image' })
  editor.remove(editor.read()[1]!.id)
  expect(await editor.settle()).toMatchObject({ ok: true })
})

test('the shop deletes the file of an upload that the owner cancels or removes [FILES-06, FILES-09]', async () => {
  const { editor, sent, discarded } = open()
  editor.add([photo('a'), photo('b')])
  await turn()
  const [a, b] = editor.read().map(({ id }) => id)
  editor.cancel(a!)
  expect(sent[0]!.signal.aborted).toBe(true)
  expect(editor.read()[0]!.upload).toEqual({ state: 'error', text: itemImageTexts.stopped })
  await sent[0]!.end(stored('1'))
  expect(discarded).toEqual(['/pictures/items/walls/1.jpg'])
  expect(editor.read()[0]!.upload).toMatchObject({ state: 'error' })

  await sent[1]!.end(stored('2'))
  editor.remove(b!)
  expect(discarded).toEqual(['/pictures/items/walls/1.jpg', '/pictures/items/walls/2.jpg'])
  editor.retry(a!)
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
})

test('a restored draft has the same images and colors, and the browser uploads only images that were not uploaded yet', async () => {
  const { editor, sent } = open()
  const image = { index: 0, src: '', isAvailable: false, colors: ['ash'] }
  editor.restore([
    { ...image, id: 'm-0', file: null, upload: null },
    { ...image, id: 'new-1', file: photo('a'), upload: stored('1') },
    {
      ...image,
      id: 'new-2',
      file: photo('b'),
      upload: { state: 'pending', step: 'sending', part: 0.4 },
    },
  ])
  await turn()
  expect(sent.map(({ name }) => name)).toEqual(['b'])
  expect(
    editor.read().map(({ colors, isAvailable, upload }) => [colors[0], isAvailable, upload?.state]),
  ).toEqual([
    ['ash', false, undefined],
    ['ash', false, 'uploaded'],
    ['ash', false, 'pending'],
  ])
})

test('if the server has lost an uploaded image, the browser uploads this image again when the owner saves the item', async () => {
  const { editor, sent, discarded, states } = open()
  editor.add([photo('a'), photo('b')])
  await turn()
  await sent[0]!.end(stored('1'))
  await sent[1]!.end(stored('2'))
  editor.restore([
    ...editor.read(),
    { ...editor.read()[0]!, id: 'bare', file: null, upload: stored('3') },
  ])
  await turn()
  editor.markLost(['upload-2', 'upload-3'])
  void editor.settle()

  expect(states()).toEqual(['uploaded', 'waiting', 'error'])
  expect(sent.map(({ name }) => name)).toEqual(['a', 'b', 'b'])
  expect(discarded).toEqual([])
})

test('the index of an image in the editor is its position, even after another image was removed [DATA-055]', async () => {
  const { editor } = open()
  editor.add(['a', 'b', 'c'].map(photo))
  expect(editor.read().map(({ index }) => index)).toEqual([0, 1, 2])
  editor.remove(editor.read()[0]!.id)
  expect(editor.read().map(({ index, file }) => [index, file?.name])).toEqual([
    [0, 'b'],
    [1, 'c'],
  ])
})

test('each image in the editor has its own id, its file and a URL for its preview [DATA-056, DATA-057, DATA-058]', async () => {
  const picked = [photo('a.jpg'), photo('b.jpg')]
  const editor = createItemImages([], {
    resize: async (file) => ({ file, preview: new Blob([`preview of ${file.name}`]) }),
    upload: async () => null,
    discard: () => {},
    onError: () => {},
  })
  editor.add(picked)
  await expect.poll(() => editor.read().every(({ src }) => src !== '')).toBe(true)
  const images = editor.read()
  expect(images.map(({ id }) => id)).toEqual([
    expect.stringMatching(/^new-\d+$/),
    expect.stringMatching(/^new-\d+$/),
  ])
  expect(images[0]!.id).not.toBe(images[1]!.id)
  expect(images.map(({ file }) => file)).toEqual(picked)
  const shown = await Promise.all(images.map(async ({ src }) => (await fetch(src)).text()))
  expect(shown).toEqual(['preview of a.jpg', 'preview of b.jpg'])
})
