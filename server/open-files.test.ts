import { expect, test } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { openStorage } from '#test/open-storage.ts'
import { openFiles } from './open-files.ts'
import { storageReason } from './start-failure.ts'

test('what keeps the shop from starting on a storage is one line without the secret', async () => {
  const storage = await openStorage()
  const open = (filesUrl: string) => openFiles({ dataDir: '/nowhere', filesUrl }, () => 0)
  const port = await freePort()
  const wrong: [url: string, line: RegExp][] = [
    [storage.urlOf({ place: 'another' }), /^FILES_URL names a bucket that does not exist/],
    [storage.urlOf({ key: 'nobody' }), /^FILES_URL has a key that may not read, write, list and delete there \(InvalidAccessKeyId\)$/],
    [`s3://k:hunter2@pictures?endpoint=http://127.0.0.1:${port}`, /^FILES_URL leads to a storage that does not answer \(ECONNREFUSED\)$/],
    [
      's3://k:hunter2@pictures?endpoint=http://no.such.host.invalid',
      /^FILES_URL leads to a storage that does not answer \((ENOTFOUND|EAI_AGAIN)\)$/,
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
  // The storage of the tests does not look at signatures.
  const forged = Object.assign(new Error('The signature … does not match'), {
    name: 'SignatureDoesNotMatch',
    $metadata: { httpStatusCode: 403 },
  })
  expect(storageReason(forged)).toBe('FILES_URL has a key that may not read, write, list and delete there (SignatureDoesNotMatch)')
  const files = await open(storage.url)
  expect(await files.list()).toEqual([])
})
