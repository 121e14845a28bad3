import { expect, test } from 'vitest'
import { readStorageAddress } from './storage-address.ts'

test('a storage of its own: host and port, key, bucket and folder', () => {
  expect(readStorageAddress('s3://shop-key:se%2Fcr%2Bet%40@pictures/knots/love/?endpoint=http://127.0.0.1:9000&region=garage')).toEqual({
    bucket: 'pictures',
    folder: 'knots/love/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'garage',
    credentials: { accessKeyId: 'shop-key', secretAccessKey: 'se/cr+et@' },
  })
})

test("Amazon's own: no more than a bucket, the rest from the environment", () => {
  expect(readStorageAddress('s3://knots.and.love')).toEqual({
    bucket: 'knots.and.love',
    folder: '',
    endpoint: null,
    region: null,
    credentials: null,
  })
  expect(readStorageAddress('s3://knots/?region=eu-central-1')).toMatchObject({ folder: '', region: 'eu-central-1' })
})
