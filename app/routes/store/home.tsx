export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Home</h1>
    </main>
  )
}
