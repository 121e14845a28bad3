import type { ActionResult } from '#ui/action-result.ts'

/** Without a timeout, a request on a dead connection would not end. */
const TIMEOUT_MS = 15_000

/** Throws if there is no response. */
export async function postForm(
  url: string,
  values: Record<string, string | number>,
  options: RequestInit,
) {
  const body = new FormData()
  for (const [name, value] of Object.entries(values)) body.append(name, String(value))
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { method: 'POST', body, signal, ...options })
  const answer: ActionResult | null = await response.json().catch(() => null)
  return { answer, status: response.status, type: response.type }
}
