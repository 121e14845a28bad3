import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/**
 * Merges the style sheets of all chunks into two, so that a browser loads each only once: `shop`
 * for everyone, and `admin` for what only the owner's pages need.
 */
export const twoStyleSheets: Plugin = {
  name: 'two-style-sheets',
  apply: 'build',
  enforce: 'post',
  applyToEnvironment: (environment) => environment.name === 'client',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const shopChunks = chunksForEveryone(chunks)
    const adminChunks = chunks.filter((chunk) => !shopChunks.has(chunk))
    const styleSheets = [
      { name: 'shop.css', styledChunks: [...shopChunks], isLoadedBy: isRoot },
      { name: 'admin.css', styledChunks: adminChunks, isLoadedBy: isEntry },
    ]
    for (const { name, styledChunks, isLoadedBy } of styleSheets) {
      const files = new Set(styledChunks.flatMap(takeStyleSheets))
      const source = [...files].map((file) => takeSource(bundle, file)).join('\n')
      const fileName = this.getFileName(this.emitFile({ type: 'asset', name, source }))
      // A chunk that a page loads later needs no style sheet, because the page has it already.
      for (const { viteMetadata } of styledChunks.filter(isLoadedBy)) {
        viteMetadata?.importedCss.add(fileName)
      }
    }
  },
}

/** Drops the style sheets of the server build, which React Router would copy to the browser's. */
export const noServerStyleSheets: Plugin = {
  name: 'no-server-style-sheets',
  apply: 'build',
  enforce: 'post',
  applyToEnvironment: (environment) => environment.name === 'ssr',
  generateBundle(_options, bundle) {
    for (const [fileName, output] of Object.entries(bundle)) {
      if (output.type === 'chunk') output.viteMetadata?.importedCss.clear()
      else if (fileName.endsWith('.css')) delete bundle[fileName]
    }
  },
}

const isEntry = (chunk: Chunk) => chunk.isEntry
const isRoot = ({ facadeModuleId }: Chunk) => facadeModuleId?.includes('/app/root.') ?? false

function takeStyleSheets({ viteMetadata }: Chunk): string[] {
  const files = [...(viteMetadata?.importedCss ?? [])]
  viteMetadata?.importedCss.clear()
  return files
}

function chunksForEveryone(chunks: Chunk[]): Set<Chunk> {
  const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set<Chunk>()
  const visit = (chunk: Chunk | undefined) => {
    if (!chunk || found.has(chunk)) return
    found.add(chunk)
    for (const file of [...chunk.imports, ...chunk.dynamicImports]) visit(chunkOf.get(file))
  }
  chunks.filter(isEntryForEveryone).forEach(visit)
  return found
}

const isEntryForEveryone = ({ isEntry, facadeModuleId }: Chunk) =>
  isEntry && !facadeModuleId?.includes('/app/routes/manage/')

function takeSource(bundle: Bundle, file: string): string {
  const output = bundle[file]
  delete bundle[file]
  return output?.type === 'asset' ? String(output.source) : ''
}
