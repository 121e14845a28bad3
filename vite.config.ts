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

/** The framework, whatever app/root.tsx brings along, and nearly every page: a file that is left out costs some bytes, nothing else. */
const frame = new RegExp(
  [
    'node_modules/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)/',
    '/app/(root|entry\\.client)\\.',
    '/app/ui/(swift|later|use-calm|use-kept-answer)\\.',
    '/(play|pause)\\.',
    '/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/)',
    '/app/ui/(answer|away-texts|back-field|connection-bar|cord|cord-line|error-page|picture|toast-store|toasts|row-link|dates|tokens|page-change|base)\\.',
    '/app/platform/(connection|patient-fetch|held-navigations|warm-scripts|someone|use-live)\\.',
    '/app/features/accounts/(knot-mark|navigation-bar|theme-toggle)|/app/features/accounts/[a-z-]+\\.module\\.',
    '/app/features/conversations/(panel-later|message-address)\\.',
    '/app/features/(conversations/(message-|chat|composer|outgoing-messages|upload-state)[^/]*|alerts/[^/]*|away/away-note)\\.module',
    '/app/features/(sharing/theme-colors|settings/footer|money/money|money/price)\\.',
    '/app/features/catalog/catalog\\.',
    '/chevron-(down|right)\\.|rolldown/runtime',
    '/app/routes/(page-title|kept-page)\\.',
  ].join('|'),
)

export default defineConfig(({ command }) => ({
  plugins: [reactRouter(), packed],
  /**
   * 040: the server's bundle holds whatever each start needs of the libraries, and no more: one file to read instead of two thousand, and what
   * nobody calls is left out. What few requests need, what is no JavaScript or finds its own files by where it lies stays outside.
   */
  ssr:
    command === 'build'
      ? {
          noExternal: true,
          external: [
            'sharp',
            'pg',
            'pino',
            'prom-client',
            '@opentelemetry/api',
            '@opentelemetry/context-async-hooks',
            '@opentelemetry/exporter-trace-otlp-http',
            '@opentelemetry/resources',
            '@opentelemetry/sdk-trace',
            '@aws-sdk/client-s3',
            '@react-pdf/renderer',
            'echarts',
            'heic-decode',
            'nodemailer',
          ],
        }
      : { noExternal: ['lucide-react', 'date-fns', '@date-fns/tz'] },
  // React brings two programs, and the bundle should hold the one of them.
  ...(command === 'build' && { define: { 'process.env.NODE_ENV': '"production"' } }),
  build: { target: 'es2022', sourcemap: false },
  // One bundle holds the server function, the routes and the typed contexts, so that all share one copy of each module.
  environments: {
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
    // What every page needs is one file: it packs better than twenty-five, and a phone asks once.
    client: {
      build: {
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'frame', test: frame },
                // Small files that one page has in common with another, or with what it loads later.
                {
                  name: 'cards',
                  test: /\/app\/features\/(catalog\/(item-card|pieces-text)|favourites\/favourite-toggle|catalog\/picture-strip|orders\/order-request-(hint|box\.module))\.|\/heart\./,
                },
                { name: 'testimony-styles', test: /\/app\/features\/testimonials\/testimony-(card|carousel)\.module\./ },
                { name: 'testimony', test: /\/app\/features\/testimonials\/(testimony-card|testimony)\.|icons\/x\./ },
                {
                  name: 'account',
                  test: /\/app\/(features\/accounts\/(account-texts|narrow-card)|ui\/(password-input|email-field)|features\/providers\/sign-in-with)\./,
                },
              ],
            },
          },
        },
      },
    },
  },
}))
