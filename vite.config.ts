import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

/** Whatever app/root.tsx brings along: a file that is left out costs some bytes, nothing else. */
const frame = new RegExp(
  [
    '/lucide-react/dist/esm/(createLucideIcon|Icon|context|defaultAttributes|shared/)',
    '/app/ui/(ask|away-texts|back-field|connection-bar|cord-line|error-page|question|toast-store|toasts|dialog|row-link|dates)\\.',
    '/app/platform/(connection|patient-fetch|held-navigations|warm-scripts|use-live|ids)\\.',
    '/app/features/accounts/(bell|greeting|knot-mark|link-guest-account|navigation-bar|profile-menu|theme-toggle)\\.',
    '/app/features/orders/(message-panel|message-address|message-log|chat|order|order-texts)\\.',
    '/app/features/sharing/theme-colors\\.',
    '/app/routes/(page-title|kept-page)\\.',
  ].join('|'),
)

export default defineConfig({
  plugins: [reactRouter()],
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
