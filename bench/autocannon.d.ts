// Declares the parts of autocannon that the benchmark uses, because the package has no types.
declare module 'autocannon' {
  type Asked = { path: string; headers?: Record<string, string>; setupRequest?: (request: object) => object }
  type Options = { url: string; connections: number; duration: number; headers?: Record<string, string>; requests?: Asked[] }
  type Result = {
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
    errors: number
    timeouts: number
    non2xx: number
  }
  export default function autocannon(options: Options): Promise<Result> & { stop: () => void }
}
