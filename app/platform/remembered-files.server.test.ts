import { expect, test } from 'vitest'
import type { Files } from './files.server.ts'
import { rememberedFiles } from './remembered-files.server.ts'

/** A place of which each reading is seen, and waits until it is let go when `isHeld`. */
function openPlace() {
  const stored = new Map<string, Uint8Array<ArrayBuffer>>()
  const state = { isHeld: false, isBroken: false, reads: [] as string[], letGo: [] as (() => void)[] }
  const files: Files = {
    put: async (path, bytes) => void stored.set(path, new Uint8Array(bytes)),
    async read(path) {
      state.reads.push(path)
      const found = stored.get(path) ?? null
      if (state.isHeld) await new Promise<void>((done) => state.letGo.push(done))
      if (state.isBroken) throw new Error('the storage is away')
      return found
    },
    delete: async (path) => void stored.delete(path),
    list: async () => [],
  }
  return { files, state }
}
const bytes = (length: number, of = 1) => new Uint8Array(length).fill(of)

test('a picture is asked for once, however many ask for it one after another or at once', async () => {
  const { files, state } = openPlace()
  const remembered = rememberedFiles(files, () => 0)
  await remembered.put('a', bytes(3))
  state.isHeld = true
  const many = Promise.all(Array.from({ length: 50 }, () => remembered.read('a')))
  state.letGo.splice(0).forEach((go) => go())
  expect(await many).toEqual(Array.from({ length: 50 }, () => bytes(3)))
  expect(await remembered.read('a')).toEqual(bytes(3))
  expect(state.reads).toEqual(['a'])
})

test('no more is remembered than there is room for, what was asked for last stays, and large ones are not kept', async () => {
  const { files, state } = openPlace()
  const remembered = rememberedFiles(files, () => 0, { bytes: 100, largest: 60 })
  for (const name of ['a', 'b', 'c']) await remembered.put(name, bytes(40))
  await remembered.put('large', bytes(61))
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b', 'large', 'large']) await remembered.read(name)
  expect(state.reads).toEqual(['a', 'b', 'c', 'b', 'large', 'large'])
})

test('what is put or deleted is seen at once, also by those who asked before and still wait', async () => {
  const { files, state } = openPlace()
  const remembered = rememberedFiles(files, () => 0)
  await remembered.put('a', bytes(1, 1))
  await remembered.read('a')
  await remembered.put('a', bytes(1, 2))
  expect(await remembered.read('a')).toEqual(bytes(1, 2))

  await remembered.delete('a')
  expect(await remembered.read('a')).toBe(null)

  await remembered.put('b', bytes(1, 1))
  state.isHeld = true
  const early = remembered.read('b')
  await remembered.put('b', bytes(1, 2))
  state.isHeld = false
  state.letGo.splice(0).forEach((go) => go())
  expect(await early).toEqual(bytes(1, 1))
  expect(await remembered.read('b')).toEqual(bytes(1, 2))
})

test('what is missing is not remembered as missing', async () => {
  const { files } = openPlace()
  const remembered = rememberedFiles(files, () => 0)
  expect(await remembered.read('a')).toBe(null)
  await files.put('a', bytes(1))
  expect(await remembered.read('a')).toEqual(bytes(1))
})

test('after a failure nobody waits for the storage for five seconds, and what is remembered is still shown', async () => {
  const { files, state } = openPlace()
  const clock = { now: 1_000_000 }
  const remembered = rememberedFiles(files, () => clock.now)
  for (const name of ['a', 'b']) await remembered.put(name, bytes(1))
  await remembered.read('a')
  state.isBroken = true
  await expect(remembered.read('b')).rejects.toThrow('the storage is away')
  await expect(remembered.read('b')).rejects.toThrow('failed a moment ago')
  expect(await remembered.read('a')).toEqual(bytes(1))
  expect(state.reads).toEqual(['a', 'b'])

  state.isBroken = false
  clock.now += 5000
  expect(await remembered.read('b')).toEqual(bytes(1))
})
