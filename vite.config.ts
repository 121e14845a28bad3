import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig, type Plugin } from 'vite'

/** Compresses scripts, style sheets and icons during the build with Brotli's best quality. This quality would be too slow for each HTTP response. */
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

/** The CSS cascade layers of the style sheets. A later layer overrides an earlier layer, whatever the sequence in which a browser loads the style sheets. */
const LAYERS = ['base', 'ui', 'layout', 'features']
const layerOf = (path: string): string =>
  path.includes('/app/features/')
    ? 'features'
    : path.includes('/app/ui/layout/')
      ? 'layout'
      : path.endsWith('.module.css')
        ? 'ui'
        : 'base'

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
  plugins: [cascadeLayers, reactRouter(), compressAssets],
  // The server bundle includes the libraries that every start needs, so that Node reads one file instead of two thousand (decision 050).
  // The bundle excludes libraries that few requests need, that contain native code, or that look for files in their own folder.
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
  // With this setting, the bundle contains only the production version of React, and not its development version.
  ...(command === 'build' && { define: { 'process.env.NODE_ENV': '"production"' } }),
  // All pages share one style sheet, so that the browser loads it only once, and components that are loaded later already have their styles.
  build: { target: 'es2022', sourcemap: false, cssCodeSplit: false },
  environments: {
    // The server entry, the routes and their libraries are in one bundle, so that they share one copy of each module. Node parses the bundle faster without whitespace.
    ssr: {
      // React Router omits this condition, because the shop does not use its Node adapter. Without it, better-auth would hash passwords in JavaScript, which blocks the process.
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
          // One file contains the modules that every page needs. Two more files contain modules that the catalog pages share, so that a phone sends few requests.
          output: {
            codeSplitting: {
              groups: [
                {
                  name: 'frame',
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\/|\/app\/(root|ui\/(lazy-component|use-prefers-reduced-motion))\./,
                },
                {
                  name: 'items',
                  test: /\/app\/features\/(pricing\/price|catalog\/(catalog|item-card|texts))\./,
                  minShareCount: 2,
                },
                // Pages for visitors have no forms that show stored values, and Home has no password fields.
                {
                  name: 'catalog',
                  test: /\/app\/(ui\/(?!password|unsaved-|has-unsaved-|use-stored-)|features\/(catalog|pricing)\/)/,
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
