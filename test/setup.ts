// A message on console.error is a failure of the test during which it came; a test that means it takes it: vi.mocked(console.error).mockClear().
// Test files share a process: this constant must be made before any of them lets Hono replace the global Response.
import '@hono/node-server/utils/response'
import { afterEach, beforeEach, expect, vi } from 'vitest'

beforeEach(() => void vi.spyOn(console, 'error'))

afterEach(() => {
  const messages = vi.mocked(console.error).mock.calls
  vi.mocked(console.error).mockRestore()
  expect(messages, 'console.error was called').toEqual([])
})
