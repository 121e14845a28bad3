/** Fetches without unpacking, to count what really crosses the wire. */
import { get } from 'node:http'
import { buffer } from 'node:stream/consumers'

export type Raw = { status: number; encoding: string; body: Buffer }

export function fetchRaw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      buffer(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, encoding: response.headers['content-encoding'] ?? 'identity', body }),
        reject,
      )
    }).on('error', reject)
  })
}
