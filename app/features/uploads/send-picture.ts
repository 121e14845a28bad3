/** Sends one picture; the browser's side of an upload (FILES-07 to FILES-10). */
import { doubtConnection, whenReached } from '#app/platform/connection.ts'
import type { Upload } from './picture-upload.ts'

/** S-140: an upload may take this long with all its tries, milliseconds. */
const UPLOAD_TIME = 600_000
/** Times that one upload may fail although the shop can be reached. */
const MOST_TRIES = 4
/** A server in front of the shop says so while the shop is away. */
const AWAY = [502, 503, 504]
export const LOGGED_OUT_TEXT = 'You are logged out. Log in again; your changes stay in this browser.'

export type Sending = {
  /** which form takes it, and what that form wants to know */
  address: string
  fields: Record<string, string>
  file: Blob
  name: string
  signal: AbortSignal
  onChange: (pending: Upload & { state: 'pending' }) => void
}

/** Tries again after each loss of the network, within S-140; null: it could not be sent. Rejects when `signal` ends it. */
export async function sendPicture({ signal, onChange, ...picture }: Sending): Promise<Upload | null> {
  const allowed = AbortSignal.any([signal, AbortSignal.timeout(UPLOAD_TIME)])
  try {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      onChange({ state: 'pending', step: 'sending', part: 0 })
      const answer = await post(picture, allowed, onChange)
      if (answer && !answer.isOurs) return { state: 'error', text: LOGGED_OUT_TEXT }
      if (answer && !AWAY.includes(answer.status)) return readUpload(answer.text)
      onChange({ state: 'pending', step: 'offline' })
      doubtConnection()
      await whenReached(allowed)
    }
  } catch (error) {
    if (signal.aborted) throw error
  }
  return null
}

/** null: the network failed. The only request that tells how many of its bytes have gone out is this old one. */
function post({ address, fields, file, name }: Omit<Sending, 'signal' | 'onChange'>, signal: AbortSignal, onChange: Sending['onChange']) {
  const body = new FormData()
  for (const [field, value] of Object.entries(fields)) body.set(field, value)
  body.set('file', file, name)
  return new Promise<{
    status: number
    text: string
    /** false: it was led elsewhere, since nobody is logged in */ isOurs: boolean
  } | null>((resolve, reject) => {
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    const abort = () => {
      request.abort()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    request.upload.onprogress = ({ loaded, total }) =>
      onChange(loaded < total ? { state: 'pending', step: 'sending', part: loaded / total } : { state: 'pending', step: 'storing' })
    request.onload = () =>
      resolve({ status: request.status, text: request.responseText, isOurs: new URL(request.responseURL).pathname === address })
    request.onerror = () => resolve(null)
    request.onloadend = () => signal.removeEventListener('abort', abort)
    request.open('POST', address)
    request.send(body)
  })
}

function readUpload(text: string): Upload | null {
  try {
    const upload = JSON.parse(text) as Upload
    return upload.state === 'uploaded' || upload.state === 'error' ? upload : null
  } catch {
    return null
  }
}

/** An upload that nothing needs any more; what cannot be deleted now is swept after a day. */
export function discardUpload(address: string, which: Record<string, string>): void {
  const body = new URLSearchParams({ intent: 'delete', ...which })
  void fetch(address, { method: 'POST', body, keepalive: true }).catch(() => {})
}
