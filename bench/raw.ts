/** Fetches a URL without decompressing the response, to count the bytes on the network. */
import { get, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

type Raw = { status: number; encoding: string; headers: IncomingHttpHeaders; body: Buffer }

export function fetchRaw(url: string, headers: Record<string, string> = {}): Promise<Raw> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      const { statusCode: status = 0, headers } = response
      buffer(response).then(
        (body) =>
          resolve({ status, encoding: headers['content-encoding'] ?? 'identity', headers, body }),
        reject,
      )
    }).on('error', reject)
  })
}
