// A worker decodes, so that a malicious file cannot harm the process.
import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

const { bytes, mostPixels, cpuSeconds } = workerData as {
  bytes: Uint8Array
  mostPixels: number
  cpuSeconds: number
}
const photos = (await decode.all({ buffer: bytes })) as unknown as {
  width: number
  height: number
  decode: () => ReturnType<typeof decode>
}[]
const [first] = photos
if (!first || first.width < 1 || first.height < 1 || first.width * first.height > mostPixels) {
  throw new Error('no photo of a size to decode')
}
const { width, height, data } = await first.decode()
// The parent checks the CPU time only now and then.
const { user, system } = process.threadCpuUsage()
if (user + system >= cpuSeconds * 1_000_000) throw new Error('the photo takes too long')
parentPort!.postMessage({ width, height, data }, [data.buffer as ArrayBuffer])
