/** A server that speaks S3, with one bucket, and how a shop reaches it. */
import crypto from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { onTestFinished } from 'vitest'
import { readStorageAddress, type StorageAddress } from '#app/platform/storage-address.ts'
import type { AtTheEnd } from './open-process.ts'
import { STAYS } from './listen.ts'

type Mood = 'well' | 'hanging' | 'breaking off' | 'unwell'

/**
 * It hides where the next thousand names begin by DES, which Node's cryptography no longer offers by itself; thrice with one and the same
 * key is the same, and is offered.
 */
function offerDes() {
  const { createCipheriv, createDecipheriv } = crypto
  const thrice = <Make extends (...all: never[]) => unknown>(make: Make) =>
    ((name: string, key: Buffer, ...rest: unknown[]) => {
      const args = name === 'des' ? ['des-ede3-cbc', Buffer.concat([key, key, key]), ...rest] : [name, key, ...rest]
      return make(...(args as Parameters<Make>))
    }) as unknown as Make
  Object.assign(crypto, { createCipheriv: thrice(createCipheriv), createDecipheriv: thrice(createDecipheriv) })
}
offerDes()

/** `atTheEnd`: of the test, unless several tests share it. */
export async function openStorage(atTheEnd: AtTheEnd = onTestFinished) {
  const directory = await mkdtemp(join(tmpdir(), 'storage-'))
  const storage = new S3rver({ silent: true, directory, configureBuckets: [{ name: 'pictures', configs: [] }] })
  await storage.configureBuckets()
  const answer = storage.callback()
  const state = { mood: 'well' as Mood, requests: [] as string[], /** how many requests fail before it is well again */ unwellFor: 0 }
  const server = createServer({ keepAliveTimeout: STAYS }, (request, response) => {
    state.requests.push(`${request.method} ${request.url}`)
    if (state.mood === 'hanging') return
    if (state.mood === 'unwell' || state.unwellFor-- > 0) return void response.writeHead(503).end()
    if (state.mood === 'breaking off' && request.method === 'GET') {
      response.writeHead(200, { 'Content-Length': 1000 })
      return void response.write('only a beginning', () => response.destroy())
    }
    void answer(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urlOf = ({ key = 'S3RVER', secret = 'S3RVER', place = 'pictures/shop' } = {}) =>
    `s3://${key}:${secret}@${place}?endpoint=${endpoint}`
  async function stop() {
    const closed = once(server, 'close')
    server.close()
    // The client keeps its connections for the next question.
    server.closeAllConnections()
    await closed
  }
  atTheEnd(async () => {
    if (server.listening) await stop()
    await rm(directory, { recursive: true, force: true })
  })
  return { state, stop, urlOf, url: urlOf(), address: readStorageAddress(urlOf()) as StorageAddress }
}
