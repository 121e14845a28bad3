import { expect, test } from 'vitest'
import { zipDownload, type ZipEntry } from './download.server.ts'

const setting = () => {
  const logged: string[] = []
  return {
    logged,
    doors: {
      log: { info: () => {}, error: (text: string) => void logged.push(text) },
      now: () => Date.UTC(2026, 2, 4, 12),
    },
  }
}

test('reads files no faster than the client downloads them, and closes all files when the client cancels [S-224]', async () => {
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

test('aborts a failed download and logs it once [S-224]', async () => {
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
    expect(logged).toEqual(['a download was interrupted'])
  }
})
