import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '#test/fixtures/network.ts'
import { openStorage } from '#test/fixtures/storage.ts'
import { openFileStorage } from './open-storage.ts'

test('when the storage cannot be opened, the error is one line that does not contain the secret key', async () => {
  const storage = await openStorage()
  const open = (filesUrl: string) => openFileStorage({ dataDir: '/nowhere', filesUrl }, () => 0)
  const port = await freePort()
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) {
    vi.stubEnv(name, '')
  }
  onTestFinished(() => void vi.unstubAllEnvs())
  const wrong: [url: string, line: RegExp][] = [
    [storage.urlOf({ place: 'another' }), /^STORAGE_URL names a bucket that does not exist/],
    [
      storage.urlOf({ secret: 'hunter2' }),
      /^The key in STORAGE_URL may not read, write, list and delete in the bucket \(SignatureDoesNotMatch\)$/,
    ],
    [
      `s3://pictures?endpoint=http://127.0.0.1:${port}`,
      /^STORAGE_URL has no key, and none is found in the environment \(AWS_ACCESS_KEY_ID\)$/,
    ],
    ['s3://k:hunter2@pictures', /^STORAGE_URL has no region, and AWS_REGION is not set$/],
    [
      storage.urlOf({ key: 'unknown' }),
      /^The key in STORAGE_URL may not read, write, list and delete in the bucket \(InvalidAccessKeyId\)$/,
    ],
    [
      `s3://k:hunter2@pictures?endpoint=http://127.0.0.1:${port}`,
      /^STORAGE_URL names a storage that does not respond \(ECONNREFUSED\)$/,
    ],
    [
      's3://k:hunter2@pictures?endpoint=http://no.such.host.invalid',
      /^STORAGE_URL names a storage that does not respond \((ENOTFOUND|EAI_AGAIN)\)$/,
    ],
  ]
  for (const [url, line] of wrong) {
    const said = await open(url).then(
      () => 'opened',
      (error: Error) => error.message,
    )
    expect(said).toMatch(line)
    expect(said).not.toMatch(/hunter2|\n/)
  }
  const files = await open(storage.url)
  expect(await files.list()).toEqual([])
})
