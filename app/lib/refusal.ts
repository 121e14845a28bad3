export type Refusal<Code extends string = string> = { ok: false; refusal: Code }

export const refuse = <const Code extends string, Details extends object = object>(
  refusal: Code,
  details?: Details,
) => ({ ok: false, refusal, ...details }) as Refusal<Code> & Details

export const isRefusal = <Result>(result: Result): result is Extract<Result, Refusal> =>
  typeof result === 'object' && result !== null && 'ok' in result && result.ok === false
