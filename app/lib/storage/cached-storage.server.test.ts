import { expect, test } from 'vitest'
import type { FileStorage } from './storage.server.ts'
import { withMemoryCache } from './cached-storage.server.ts'

/** Opens a storage that records each read, and delays reads while `isHeld` is true. */
function openPlace() {
  const stored = new Map<string, Uint8Array<ArrayBuffer>>()
  const state = {
    isHeld: false,
    isBroken: false,
    reads: [] as string[],
    letGo: [] as (() => void)[],
  }
  const files: FileStorage = {
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

test('caches the most recently read files up to a maximum total size, and never caches a large file', async () => {
  const { files, state } = openPlace()
  const remembered = withMemoryCache(files, () => 0, { bytes: 100, largest: 60 })
  for (const name of ['a', 'b', 'c']) await remembered.put(name, bytes(40))
  await remembered.put('large', bytes(61))
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b', 'large', 'large']) await remembered.read(name)
  expect(state.reads).toEqual(['a', 'b', 'c', 'b', 'large', 'large'])
})

test('returns the current state of a file after it was stored or deleted, even if an earlier read was still running', async () => {
  const { files, state } = openPlace()
  const remembered = withMemoryCache(files, () => 0)
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

test('does not call the storage for five seconds after a failure, but still returns cached files', async () => {
  const { files, state } = openPlace()
  const clock = { now: 1_000_000 }
  const remembered = withMemoryCache(files, () => clock.now)
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
