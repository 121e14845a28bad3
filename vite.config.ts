import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

/** Scripts, style sheets and icons are packed once, here, as small as they get, and not again for each visitor. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle({ dir }) {
    const pack = promisify(brotliCompress)
    const files = globSync(`${dir}/assets/*.{js,css,svg}`)
    await Promise.all(files.map(async (file) => writeFile(`${file}.br`, await pack(await readFile(file)))))
  },
}

/** One rule for the order of styles, whatever the order in which style sheets are loaded: what stands further right wins. */
const LAYERS = ['base', 'ui', 'layout', 'features']
const layerOf = (path: string): string =>
  path.includes('/app/features/') ? 'features' : path.includes('/app/ui/layout/') ? 'layout' : path.endsWith('.module.css') ? 'ui' : 'base'

/** Puts each style sheet into the cascade layer of its folder. */
const layered: Plugin = {
  name: 'cascade-layers',
  enforce: 'pre',
  transform: {
    filter: { id: /\/app\/[^?]*\.css$/ },
    handler: (code, id) => ({ code: `@layer ${LAYERS.join(', ')};\n@layer ${layerOf(id)} {\n${code}\n}`, map: null }),
  },
}

export default defineConfig(({ command }) => ({
  plugins: [layered, reactRouter(), packed],
  /**
   * 050: the server's bundle holds whatever each start needs of the libraries, and no more: one file to read instead of two thousand, and what
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
            '@prometheus-io/client',
            '@opentelemetry/context-async-hooks',
            '@opentelemetry/exporter-trace-otlp-http',
            '@opentelemetry/resources',
            '@opentelemetry/sdk-trace',
            'aws4fetch',
            '@react-pdf/renderer',
            'heic-decode',
            'nodemailer',
          ],
        }
      : undefined,
  // React brings two programs, and the bundle should hold the one of them.
  ...(command === 'build' && { define: { 'process.env.NODE_ENV': '"production"' } }),
  // One style sheet with one address for all pages: none is loaded twice, and a part that comes later finds its styles.
  build: { target: 'es2022', sourcemap: false, cssCodeSplit: false },
  environments: {
    // The process, the routes and their libraries are one bundle, so that all share one copy of each module. Without whitespace it is read faster.
    ssr: {
      build: {
        rollupOptions: {
          input: './server/index.ts',
          output: { minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } } },
        },
      },
    },
    client: {
      build: {
        rollupOptions: {
          // What every page needs is one file, and so is what the pages of the catalog share: a phone asks for each once.
          output: {
            codeSplitting: {
              groups: [
                { name: 'frame', test: /node_modules\/(react|react-dom|react-router|scheduler)\/|\/app\/(root|ui\/lazy-component)\./ },
                { name: 'items', test: /\/app\/features\/(pricing\/price|catalog\/(catalog|item-card|texts))\./, minShareCount: 2 },
                { name: 'catalog', test: /\/app\/(ui|features\/(catalog|pricing))\//, minShareCount: 7 },
              ],
            },
          },
        },
      },
    },
  },
}))
