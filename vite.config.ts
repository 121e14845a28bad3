import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  // Taken into the bundle, so that the server holds the few icons and functions in use and not the libraries' thousands of files.
  ssr: { noExternal: ['lucide-react', 'date-fns', '@date-fns/tz'] },
  build: { target: 'es2022', sourcemap: false },
  // One bundle holds the server function, the routes and the typed contexts, so that all share one copy of each module.
  environments: {
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
    // What every page needs of the framework is one file: it packs better than seven.
    client: {
      build: {
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: [{ name: 'framework', test: /node_modules\/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)\// }],
            },
          },
        },
      },
    },
  },
})
