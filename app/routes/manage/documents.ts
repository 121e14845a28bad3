export const loader = () => Response.json({})
