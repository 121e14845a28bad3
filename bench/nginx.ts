/** What the kept pages are held against: the same bytes as a file, given away by nginx. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../test/free-port.ts'

type FileServer = { origin: string; pid: number; stop: () => Promise<void> }

export type Served = { body: Uint8Array; type: string; headers: Record<string, string> }

/** Sendfile, no log, open files remembered: as fast as it gets without another build. `workers`: 'auto' are as many as processors. */
export async function serveByNginx(folder: string, { body, type, headers }: Served, workers: 'auto' | 1): Promise<FileServer> {
  const port = await freePort()
  await mkdir(join(folder, 'files'), { recursive: true })
  await writeFile(join(folder, 'files', 'page'), body)
  const config = `daemon off; worker_processes ${workers}; pid ${folder}/pid; error_log ${folder}/error.log; user root;
events { worker_connections 512; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=10;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${folder}/files;
    location / { default_type "${type}"; ${Object.entries(headers)
      .map(([name, value]) => `add_header ${name} "${value}";`)
      .join(' ')} } } }
`
  await writeFile(join(folder, 'nginx.conf'), config)
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  for (
    let tries = 0;
    !(await fetch(`${origin}/page`).then(
      (answer) => answer.ok,
      () => false,
    ));
    tries++
  ) {
    if (tries > 200) throw new Error('nginx does not open')
    await new Promise((done) => setTimeout(done, 20))
  }
  return {
    origin,
    pid: child.pid!,
    async stop() {
      child.kill('SIGQUIT')
      await ended
    },
  }
}
