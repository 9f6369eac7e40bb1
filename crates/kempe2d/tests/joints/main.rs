//! Joints beyond the pairs of every engine, against closed forms.

mod drives;
