/** One line of JSON for each thing worth knowing; never what a customer typed. */
export type Log = { info: (message: string, about?: object) => void; error: (message: string, error: unknown, about?: object) => void }

export const consoleLog: Log = {
  info: (message, about) => console.log(JSON.stringify({ level: 'info', at: new Date().toISOString(), message, ...about })),
  error: (message, error, about) =>
    console.error(
      JSON.stringify({
        level: 'error',
        at: new Date().toISOString(),
        message,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
        ...about,
      }),
    ),
}
