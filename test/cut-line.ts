/** A line to a server that a test cuts where it wants to. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export function openCutLine() {
  const open = new Set<Socket>()
  const line = {
    /** nobody gets through, and nobody stays connected */
    isAway: false,
    /** everybody stays connected, and nothing passes any more */
    isSilent: false,
    /** cuts all once these words pass to the server: before they arrive, or after, when the answer is under way */
    cutAt: null as { words: string; isArrived: boolean } | null,
    cuts: 0,
    cut() {
      line.cuts += 1
      for (const socket of open) socket.destroy()
    },
    /** Gives the address that leads through the line. */
    async reach(url: string): Promise<string> {
      const target = new URL(url)
      const [port, hostname] = [Number(target.port), target.hostname]
      const server = createServer((near) => {
        if (line.isAway) return void near.destroy()
        const far = connect(port, hostname)
        let isMuted = false
        for (const socket of [near, far]) {
          open.add(socket)
          socket
            .on('error', () => {})
            .on('close', () => {
              open.delete(socket)
              near.destroy()
              far.destroy()
            })
        }
        near.on('data', (bytes) => {
          if (line.isSilent) return
          if (!line.cutAt || !bytes.includes(line.cutAt.words)) return void far.write(bytes)
          const { isArrived } = line.cutAt
          line.cutAt = null
          if (!isArrived) return line.cut()
          isMuted = true
          far.write(bytes)
        })
        far.on('data', (bytes) => (isMuted ? line.cut() : line.isSilent || near.write(bytes)))
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      onTestFinished(() => {
        line.cut()
        server.close()
      })
      target.port = String((server.address() as AddressInfo).port)
      target.hostname = '127.0.0.1'
      return target.href
    },
  }
  return line
}
