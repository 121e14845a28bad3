import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

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

/** Whatever app/root.tsx brings along, and nearly every page: a file that is left out costs some bytes, nothing else. */
const frame = new RegExp(
  [
    '/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/)',
    '/app/ui/(answer|ask|away-texts|back-field|connection-bar|cord|cord-line|error-page|picture|question|toast-store|toasts|dialog|row-link|dates|tokens|base)\\.',
    '/app/platform/(connection|patient-fetch|held-navigations|warm-scripts|use-live|ids|own-path)\\.',
    '/app/features/accounts/(bell|greeting|knot-mark|navigation-bar|profile-menu|theme-toggle)\\.',
    '/app/features/(guests/link-guest-account|profile/shown-photo)\\.',
    '/app/features/conversations/(panel-later|message-address)\\.',
    '/app/features/(conversations/(message-|chat|composer|outgoing-messages|upload-state)[^/]*|alerts/[^/]*|away/away-note)\\.module',
    '/app/features/orders/order\\.',
    '/app/features/(sharing/theme-colors|settings/footer|money/money|money/price)\\.',
    '/app/features/catalog/catalog\\.',
    '/chevron-(down|right)\\.|rolldown/runtime',
    '/app/routes/(page-title|kept-page)\\.',
  ].join('|'),
)

export default defineConfig({
  plugins: [reactRouter(), packed],
  // Taken into the bundle, so that the server holds the few icons and functions in use and not the libraries' thousands of files.
  ssr: { noExternal: ['lucide-react', 'date-fns', '@date-fns/tz'] },
  build: { target: 'es2022', sourcemap: false },
  // One bundle holds the server function, the routes and the typed contexts, so that all share one copy of each module.
  environments: {
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
    // What every page needs is two files, the framework's and the shop's own frame: they pack better than twenty-five.
    client: {
      build: {
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)\// },
                { name: 'frame', test: frame },
              ],
            },
          },
        },
      },
    },
  },
})
