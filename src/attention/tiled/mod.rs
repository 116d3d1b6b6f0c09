//! scratch
mod kernel; mod lanes; mod pieces; mod scoring;
pub use lanes::InstructionSet;
pub fn bench(set: InstructionSet, n: usize, d: usize, q:&[f32],k:&[f32],v:&[f32],o:&mut [f32],lse:&mut[f64], causal: bool, room: &mut Room) {
    use super::*;
    let spec = Spec{causal: causal.then_some(Alignment::TopLeft), ..Spec::default()};
    let sight = spec.sight(n,n,0);
    for (b,(out,lse)) in o.chunks_mut(64*d).zip(lse.chunks_mut(64)).enumerate() {
        let queries = b*64..(b*64+64).min(n);
        let scoring = scoring::Scoring{queries: queries.clone(), keys:n, sight, factor: (1.0/(d as f64).sqrt()) as f32, softcap: None, slope:0.0, per_temperature:1.0, keep:None,bias:None};
        set.run(kernel::Block{q:&q[queries.start*d..queries.end*d],k,v,widths:(d,d),scoring,output:out,log_sum_exp:lse,room:&mut room.0});
    }
}
#[derive(Default)] pub struct Room(kernel::Room);
