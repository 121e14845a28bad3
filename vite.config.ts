import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [reactRouter()],
  build: { target: 'es2022', sourcemap: false },
  // One bundle holds the server function, the routes and the typed contexts, so that all share one copy of each module.
  environments: { ssr: { build: { rollupOptions: { input: './server/app.ts' } } } },
})
