import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '#test/free-port.ts'
import { openStorage } from '#test/open-storage.ts'
import { openFiles } from './open-files.ts'

test('what keeps the shop from starting on a storage is one line without the secret', async () => {
  const storage = await openStorage()
  const open = (filesUrl: string) => openFiles({ dataDir: '/nowhere', filesUrl }, () => 0)
  const port = await freePort()
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) vi.stubEnv(name, '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const wrong: [url: string, line: RegExp][] = [
    [storage.urlOf({ place: 'another' }), /^FILES_URL names a bucket that does not exist/],
    [
      storage.urlOf({ secret: 'hunter2' }),
      /^FILES_URL has a key that may not read, write, list and delete there \(SignatureDoesNotMatch\)$/,
    ],
    [
      `s3://pictures?endpoint=http://127.0.0.1:${port}`,
      /^FILES_URL has no key, and none is found in the environment \(AWS_ACCESS_KEY_ID\)$/,
    ],
    ['s3://k:hunter2@pictures', /^FILES_URL has no region, and AWS_REGION is not set$/],
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
  const files = await open(storage.url)
  expect(await files.list()).toEqual([])
})
