export const creditFormTexts = {
  use: (amount: string, code: string) => `Use the credit of ${amount}, code ${code}`,
  code: 'Credit code (optional)',
  hint: 'It lowers the price of the pieces and is used up when the customer accepts.',
  badCode: 'A code has eight characters, such as K7QM-4XPD.',
  twoCodes: 'An offer uses one credit. Clear this field or the box above.',
  unknown: 'This customer has no credit with this code.',
  used: 'This credit has already been used.',
}
