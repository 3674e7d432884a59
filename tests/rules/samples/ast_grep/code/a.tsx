const B = () => <button onClick={() => a == b} title="x">t</button>;
