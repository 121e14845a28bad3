import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

/** What the frame around every page needs (app/root.tsx): each visitor fetches it anyway, and one file comes sooner than twenty. */
const ofTheFrame = [
  'features/accounts/(bell|greeting|knot-mark|link-guest-account|navigation-bar|profile-menu|theme-toggle)',
  'features/orders/(chat|message-address|message-log|message-panel|order|order-texts|person-photo)',
  'platform/(ids|own-path|use-live)',
  'features/settings/footer',
  'routes/page-title',
  'ui/(answer|ask|back-field|cord|dates|dialog|password-prompt|picture|toast-store|toasts)',
].join('|')

/** Scripts and style sheets are packed once, here, as small as they get, and not again for each visitor. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle({ dir }) {
    const pack = promisify(brotliCompress)
    const files = globSync(`${dir}/assets/*.{js,css}`)
    await Promise.all(files.map(async (file) => writeFile(`${file}.br`, await pack(await readFile(file)))))
  },
}

export default defineConfig({
  plugins: [reactRouter(), packed],
  // Taken into the bundle, so that the server holds the few icons and functions in use and not the libraries' thousands of files.
  ssr: { noExternal: ['lucide-react', 'date-fns', '@date-fns/tz'] },
  build: { target: 'es2022', sourcemap: false },
  // One bundle holds the server function, the routes and the typed contexts, so that all share one copy of each module.
  environments: {
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
    client: {
      build: {
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: [
                {
                  name: 'framework',
                  test: /node_modules\/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser|partysocket)\//,
                },
                { name: 'frame', test: new RegExp(`/app/(${ofTheFrame})\\.(module\\.css|tsx?)|lucide-react/.*createLucideIcon`) },
              ],
            },
          },
        },
      },
    },
  },
})
