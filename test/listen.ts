/** A server of a test on a port of its own, until the test is over. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Of an idle line, milliseconds: longer than any test. Otherwise the shop may send into a line that is just being closed, where the machine is busy. */
export const STAYS = 600_000

/** Gives the port, on 127.0.0.1. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
