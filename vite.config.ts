import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'
import { noServerStyleSheets, twoStyleSheets } from './scripts/style-sheets.ts'

/** The best quality is too slow for each response. */
const compressAssets: Plugin = {
  name: 'compress-assets',
  apply: 'build',
  applyToEnvironment: (environment) => environment.name === 'client',
  async writeBundle({ dir }) {
    const compress = promisify(brotliCompress)
    const files = globSync(`${dir}/assets/*.{js,css,svg}`)
    await Promise.all(
      files.map(async (file) => writeFile(`${file}.br`, await compress(await readFile(file)))),
    )
  },
}

/**
 * The CSS cascade layers of the style sheets. A later layer overrides an earlier layer, whatever
 * the sequence in which a browser loads the style sheets.
 */
const LAYERS = ['base', 'ui', 'layout', 'features']
function layerOf(path: string): string {
  if (path.includes('/app/features/')) return 'features'
  if (path.includes('/app/ui/layout/')) return 'layout'
  return path.endsWith('.module.css') ? 'ui' : 'base'
}

/** Assigns each style sheet to the cascade layer of its folder. */
const cascadeLayers: Plugin = {
  name: 'cascade-layers',
  enforce: 'pre',
  transform: {
    filter: { id: /\/app\/[^?]*\.css$/ },
    handler: (code, id) => ({
      code: `@layer ${LAYERS.join(', ')};\n@layer ${layerOf(id)} {\n${code}\n}`,
      map: null,
    }),
  },
}

export default defineConfig(({ command }) => ({
  plugins: [cascadeLayers, reactRouter(), twoStyleSheets, noServerStyleSheets, compressAssets],
  // Node reads one file instead of two thousand (decision 050), without libraries that few requests
  // need, that contain native code, or that look for files in their folder.
  ssr:
    command === 'build'
      ? {
          noExternal: true,
          external: [
            'sharp',
            'pg',
            'pino',
            '@prometheus-io/client',
            'aws4fetch',
            '@react-pdf/renderer',
            'heic-decode',
            'nodemailer',
          ],
        }
      : undefined,
  // Otherwise React's development version would be bundled.
  ...(command === 'build' && { define: { 'process.env.NODE_ENV': '"production"' } }),
  build: { target: 'es2022', sourcemap: false },
  environments: {
    // The server entry, the routes and their libraries are in one bundle, so that they share one
    // copy of each module. Node parses the bundle faster without whitespace.
    ssr: {
      // React Router omits this condition, because the shop does not use its Node adapter. Without
      // it, better-auth would hash passwords in JavaScript, which blocks the process.
      resolve: { conditions: ['node'] },
      build: {
        rollupOptions: {
          input: './server/index.ts',
          output: {
            minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          },
        },
      },
    },
    client: {
      build: {
        rollupOptions: {
          // One file contains the modules that every page needs. Two more files contain modules
          // that the catalog pages share, so that a phone sends few requests.
          output: {
            codeSplitting: {
              groups: [
                {
                  name: 'frame',
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\/|\/app\/(root|ui\/(format-count|lazy-component|use-prefers-reduced-motion))\./,
                },
                {
                  name: 'items',
                  test: /\/app\/features\/(pricing\/price|catalog\/(catalog|item-card|texts))\./,
                  minShareCount: 2,
                },
                // Pages for visitors have no forms that show stored values and few dialogs, and
                // Home has no password fields.
                {
                  name: 'catalog',
                  test: /\/app\/(ui\/(?!password|unsaved-|has-unsaved-|use-stored-|confirm-|dialog-|owner-icons)|features\/(catalog|pricing)\/)/,
                  minShareCount: 7,
                },
              ],
            },
          },
        },
      },
    },
  },
}))
