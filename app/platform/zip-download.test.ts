import { expect, test } from 'vitest'
import { unzipped } from '#test/unzipped.ts'
import { zipDownload, type ZipEntry } from './zip-download.server.ts'

const setting = () => {
  const logged: string[] = []
  return {
    logged,
    doors: { log: { info: () => {}, error: (text: string) => void logged.push(text) }, now: () => Date.UTC(2026, 2, 4, 12) },
  }
}

test('S-224 an archive holds its entries in their order, whole, packed or not', async () => {
  const { doors } = setting()
  async function* entries(): AsyncGenerator<ZipEntry> {
    yield { path: 'a.txt', content: ['Hello ', 'wörld'] }
    yield { path: 'empty.txt', content: [] }
    yield { path: 'b/pictures.bin', content: [new Uint8Array([1, 2, 3]), new Uint8Array(100_000)], isPacked: true }
  }
  const response = zipDownload(entries(), 'all.zip', doors)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="all.zip"')
  const files = await unzipped(response)
  expect([...files].map(([name, { length }]) => [name, length])).toEqual([
    ['a.txt', 12],
    ['empty.txt', 0],
    ['b/pictures.bin', 100_003],
  ])
})

test('S-224 nothing is read ahead of the one who downloads, and when she leaves everything that was open is closed', async () => {
  const { doors, logged } = setting()
  const closed: string[] = []
  let made = 0
  async function* endless() {
    try {
      for (;;) {
        made += 1
        yield new Uint8Array(16_384).fill(made % 256)
      }
    } finally {
      closed.push('content')
    }
  }
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      yield { path: 'endless.bin', content: endless(), isPacked: true }
      yield { path: 'never.txt', content: ['never'] }
    } finally {
      closed.push('entries')
    }
  }
  const reader = zipDownload(entries(), 'all.zip', doors).body!.getReader()
  for (let chunk = 0; chunk < 20; chunk++) expect((await reader.read()).done).toBe(false)
  expect(made).toBeLessThan(60)
  await reader.cancel()
  await expect.poll(() => closed).toEqual(['content', 'entries'])
  expect(logged).toEqual([])
})

test('S-224 what fails on the way breaks the download off and is logged once', async () => {
  for (const at of ['content', 'entries']) {
    const { doors, logged } = setting()
    async function* content() {
      yield 'begun'
      if (at === 'content') throw new Error('the disk is gone')
    }
    async function* entries(): AsyncGenerator<ZipEntry> {
      yield { path: 'a.txt', content: content() }
      throw new Error('the database is gone')
    }
    await expect(zipDownload(entries(), 'all.zip', doors).arrayBuffer()).rejects.toThrow('is gone')
    expect(logged).toEqual(['a download broke off'])
  }
})
